/** Sends published messages once more, as far as relays have retained them: for the day when a namespace is lost. */
@NullMarked
package dev.waybill.standalone.replay;

import org.jspecify.annotations.NullMarked;
