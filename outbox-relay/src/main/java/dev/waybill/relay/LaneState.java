package dev.waybill.relay;

/** What a destination's turn remembers of a lane between turns. Confined to the turn's thread. */
final class LaneState {
    private Lease lease;
    private Cursor cursor;
    private long recordedAtNanos;

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

    void seen(String snapshot) {
        cursor = cursor.seenIn(snapshot);
    }

    void recorded(Cursor newer, long nowNanos) {
        cursor = newer;
        recordedAtNanos = nowNanos;
    }

    /** A lane that never had a row has nothing that a later snapshot could tell. */
    boolean isStale(long nowNanos, long intervalNanos) {
        return cursor.position() > 0 && nowNanos - recordedAtNanos > intervalNanos;
    }
}
