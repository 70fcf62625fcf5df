package dev.waybill.relay;

import dev.waybill.relay.Aside.SetAside;
import java.util.ArrayList;
import java.util.List;

/** What a destination's turn remembers of a lane between turns. Confined to the turn's thread. */
final class LaneState {
    private final List<SetAside> held = new ArrayList<>();
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
     * @param setAside what is to be held of it
     */
    void reached(long position, String snapshot, boolean moved, List<SetAside> setAside) {
        held.addAll(setAside);
        boolean further = position > cursor.position();
        cursor = moved || further ? new Cursor(position, snapshot, Cursor.UNBOUNDED) : cursor.seenIn(snapshot);
        unsettled |= moved;
    }

    void recorded(Cursor newer, long nowNanos) {
        cursor = newer;
        recordedAtNanos = nowNanos;
        unsettled = false;
        held.clear();
    }

    /** What must be held together with the cursor's next record. */
    List<SetAside> held() {
        return held;
    }

    boolean isUnsettled(long nowNanos, long intervalNanos) {
        return unsettled && nowNanos - recordedAtNanos >= intervalNanos;
    }

    /** A lane that never had a row has nothing that a later snapshot could tell. */
    boolean isStale(long nowNanos, long intervalNanos) {
        return cursor.position() > 0 && nowNanos - recordedAtNanos > intervalNanos;
    }
}
