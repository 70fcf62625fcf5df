package dev.waybill.relay;

/**
 * How far a lane is published: every row with {@code seq <= position} that {@code snapshot} sees.
 *
 * @param snapshot in PostgreSQL's text form
 * @param nextXid no row with {@code seq <= position} has a transaction id of this or above
 */
record Cursor(long position, String snapshot, long nextXid) {
    /** No bound is known: costs a longer search for late arrivals, never a row. */
    static final long UNBOUNDED = Long.MAX_VALUE;

    Cursor seenIn(String laterSnapshot) {
        return new Cursor(position, laterSnapshot, nextXid);
    }
}
