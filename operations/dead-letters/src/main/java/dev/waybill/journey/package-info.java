/**
 * The journey of a message: everything that this database tells of it, as one time line.
 *
 * <p>An entry is <b>known</b> where a row says so, <b>inferred</b> where rows allow nothing else, and
 * <b>forgotten</b> where something must have been recorded and is not there any more. Only reads: in one read-only
 * transaction, with a time-out.
 *
 * <p>Lies in a package of its own because it looks at the tables of all sides and is part of none.
 */
@NullMarked
package dev.waybill.journey;

import org.jspecify.annotations.NullMarked;
