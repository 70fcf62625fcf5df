/** The log of the process: its lines and their form. */
@NullMarked
package dev.waybill.standalone.log;

import org.jspecify.annotations.NullMarked;
