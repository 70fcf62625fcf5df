/**
 * A message as every part of Waybill knows it: its content, the types of its application properties, and the names and limits
 * that writer, relay and consumer agree on.
 */
@NullMarked
package dev.waybill.message;

import org.jspecify.annotations.NullMarked;
