/**
 * Detects fourteen known mistakes, and other problems of an outbox. The doctor changes nothing.
 *
 * <p>Evidence comes from entity settings, outbox rows, tables, the clock, and declared consumers. Each finding names the
 * evidence, the reason and the fix; the doctor also reports what it could not verify.
 */
@NullMarked
package dev.waybill.standalone.doctor;

import org.jspecify.annotations.NullMarked;
