/**
 * The journey of a message: what all tables of this database know of it, as one time line.
 *
 * <p>An entry is <b>known</b> if a row says so, <b>inferred</b> if the rows allow nothing else, and <b>forgotten</b> if it must have been
 * recorded and is gone. Reads in one read-only transaction with a time-out.
 */
@NullMarked
package dev.waybill.journey;

import org.jspecify.annotations.NullMarked;
