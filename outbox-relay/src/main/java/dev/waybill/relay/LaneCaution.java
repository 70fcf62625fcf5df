package dev.waybill.relay;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a lane must be sent with caution, because its owners have died where it stands. Confined to the loop's thread. */
final class LaneCaution {
    private boolean orphaned;
    private @Nullable CrashSuspect suspicion;
    private int watchedRows;
    private boolean told;

    /** @param orphaned whether the last owner died */
    LaneCaution(boolean orphaned) {
        this.orphaned = orphaned;
    }

    /** Whether the lane is sent with caution, or it is not known yet whether it must be. */
    boolean isWatched() {
        return orphaned || (suspicion != null && suspicion.isGrave());
    }

    /** Whether the last owner died and nobody has looked yet whether a message of this lane was the reason. */
    boolean isOrphaned() {
        return orphaned;
    }

    void adopted() {
        orphaned = false;
    }

    @Nullable CrashSuspect suspicion() {
        return suspicion;
    }

    void suspect(@Nullable CrashSuspect newer) {
        suspicion = newer;
        watchedRows = 0;
        told = false;
    }

    /** Whether it is to be told that the lane is sent with caution: true once for each suspicion. */
    boolean tells() {
        boolean first = !told;
        told = true;
        return first;
    }

    /** The rows that were suspected are dealt with; those that follow are not trusted yet. */
    void acquit() {
        suspicion = suspicion == null ? null : new CrashSuspect(suspicion.takeovers(), null, 0, Set.of());
    }

    /** Counts rows that were sent with caution; returns how many there were. */
    int watched(int rows) {
        watchedRows += rows;
        return watchedRows;
    }
}
