/**
 * The base classes of verbs. A verb extends CliCommand; DatabaseCommand adds a database, and MutatingCommand adds a
 * reason, a dry run and a confirmation.
 * Output prints a table for people or JSON for programs. ExitCode lists the exit codes. Verbs import this package;
 * this package imports no verb.
 */
@NullMarked
package dev.waybill.standalone.cli.command;

import org.jspecify.annotations.NullMarked;
