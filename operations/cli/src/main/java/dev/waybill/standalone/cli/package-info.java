/**
 * The command line. A verb reads its arguments, asks or tells another package, and prints: a table for people, with {@code
 * --json} the same for programs.
 */
@NullMarked
package dev.waybill.standalone.cli;

import org.jspecify.annotations.NullMarked;
