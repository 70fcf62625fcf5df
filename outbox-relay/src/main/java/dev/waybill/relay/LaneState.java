package dev.waybill.relay;

import dev.waybill.relay.Aside.SetAside;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a destination's turn remembers of a lane between turns. Confined to the turn's thread. */
final class LaneState {
    private final List<SetAside> held = new ArrayList<>();
    private Lease lease;
    private Cursor cursor;
    private long recordedAtNanos;
    private boolean unsettled;
    private boolean orphaned;
    private @Nullable Suspicion suspicion;
    private int watchedRows;

    LaneState(Lease lease, Cursor cursor, @Nullable Suspicion suspicion, long nowNanos) {
        this.orphaned = lease.orphaned();
        this.suspicion = suspicion;
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

    /** Whether the last owner died and nobody has looked yet whether a message of this lane was the reason. */
    boolean isOrphaned() {
        return orphaned;
    }

    void adopted() {
        orphaned = false;
    }

    @Nullable Suspicion suspicion() {
        return suspicion;
    }

    void suspect(@Nullable Suspicion newer) {
        suspicion = newer;
        watchedRows = 0;
    }

    /** The rows that were suspected are dealt with; those that follow are not trusted yet. */
    void acquit() {
        suspicion = suspicion == null ? null : new Suspicion(suspicion.takeovers(), null, 0, Set.of());
    }

    /** Counts rows that were sent with caution; returns how many there were. */
    int watched(int rows) {
        watchedRows += rows;
        return watchedRows;
    }

    boolean isUnsettled(long nowNanos, long intervalNanos) {
        return unsettled && nowNanos - recordedAtNanos >= intervalNanos;
    }

    /** A lane that never had a row has nothing that a later snapshot could tell. */
    boolean isStale(long nowNanos, long intervalNanos) {
        return cursor.position() > 0 && nowNanos - recordedAtNanos > intervalNanos;
    }
}
