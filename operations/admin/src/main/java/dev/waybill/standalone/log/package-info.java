/** The log of the process: its setup and its line formats. */
@NullMarked
package dev.waybill.standalone.log;

import org.jspecify.annotations.NullMarked;
