/**
 * The console's pages. Each reads what the verbs of the command line read, through the same classes, and a change goes
 * the same way. Reads are bounded, in rows and in time.
 */
@NullMarked
package dev.waybill.standalone.console.page;

import org.jspecify.annotations.NullMarked;
