/** The command line. A verb parses its arguments, calls another package, and prints a table, or JSON with {@code --json}. */
@NullMarked
package dev.waybill.standalone.cli;

import org.jspecify.annotations.NullMarked;
