/**
 * The pages of the console. They read and change data through the same classes as the command line. Rows and time of every read
 * are bounded.
 */
@NullMarked
package dev.waybill.standalone.console.page;

import org.jspecify.annotations.NullMarked;
