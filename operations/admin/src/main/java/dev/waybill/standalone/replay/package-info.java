/** Publishes retained messages again, after the loss of a namespace. */
@NullMarked
package dev.waybill.standalone.replay;

import org.jspecify.annotations.NullMarked;
