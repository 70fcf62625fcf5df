package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/**
 * How far a lane is published: every row with {@code seq <= position} that {@code snapshot} sees, and of the late rows that the
 * lane is in the middle of, the first ones.
 *
 * @param snapshot in PostgreSQL's text form
 * @param nextXid no row with {@code seq <= position} has a transaction id of this or above
 * @param late null if the lane is not in the middle of late rows
 */
record Cursor(
        long position,
        String snapshot,
        long nextXid,
        @Nullable LateRows late) {
    /** No bound is known: costs a longer search for late arrivals, never a row. */
    static final long UNBOUNDED = Long.MAX_VALUE;

    Cursor(long position, String snapshot, long nextXid) {
        this(position, snapshot, nextXid, null);
    }

    Cursor withLate(LateRows rows) {
        return new Cursor(position, snapshot, nextXid, rows);
    }

    /** How far the late rows have come; 0 if the lane is not in the middle of any. */
    long lateReached() {
        return late == null ? 0 : late.reached();
    }

    /** The latest snapshot of which rows have met their fate. */
    String lateSnapshot() {
        return late == null ? snapshot : late.snapshot();
    }

    /**
     * Late rows that a lane is in the middle of: those up to its position that its snapshot does not see and this one does.
     *
     * @param reached those with values up to here have met their fate
     */
    record LateRows(String snapshot, long reached) {}
}
