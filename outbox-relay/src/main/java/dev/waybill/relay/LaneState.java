package dev.waybill.relay;

/** What a destination's turn remembers of a lane between turns. Confined to the turn's thread. */
final class LaneState {
    private Lease lease;
    private Cursor cursor;
    private long recordedAtNanos;
    private boolean unsettled;

    LaneState(Lease lease, Cursor cursor, long nowNanos) {
        this.lease = lease;
        this.cursor = cursor;
        this.recordedAtNanos = nowNanos;
    }

    Lease lease() {
        return lease;
    }

    Cursor cursor() {
        return cursor;
    }

    boolean isOf(Lease other) {
        return lease.epoch() == other.epoch();
    }

    void renewed(Lease newer) {
        lease = newer;
    }

    /**
     * Everything up to a position that the snapshot sees is published.
     *
     * @param moved whether there was anything, so that the cursor is worth recording
     */
    void reached(long position, String snapshot, boolean moved) {
        boolean further = position > cursor.position();
        cursor = moved || further ? new Cursor(position, snapshot, Cursor.UNBOUNDED) : cursor.seenIn(snapshot);
        unsettled |= moved;
    }

    void recorded(Cursor newer, long nowNanos) {
        cursor = newer;
        recordedAtNanos = nowNanos;
        unsettled = false;
    }

    boolean isUnsettled(long nowNanos, long intervalNanos) {
        return unsettled && nowNanos - recordedAtNanos >= intervalNanos;
    }

    /** A lane that never had a row has nothing that a later snapshot could tell. */
    boolean isStale(long nowNanos, long intervalNanos) {
        return cursor.position() > 0 && nowNanos - recordedAtNanos > intervalNanos;
    }
}
