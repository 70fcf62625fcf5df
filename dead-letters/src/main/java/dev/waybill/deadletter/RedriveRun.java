package dev.waybill.deadletter;

import dev.waybill.hold.AuditContext;
import java.time.Instant;

/**
 * A re-drive of many, as it stands.
 *
 * @param items how many messages were chosen
 * @param position how many of them were taken so far
 * @param redriven how many of these were re-driven; the others had been closed or erased by somebody else, or are open still
 *     because the consumer was at work on them at that moment or because they were redacted
 */
public record RedriveRun(
        long id,
        State state,
        RedriveRequest order,
        int items,
        int position,
        int redriven,
        AuditContext instruction,
        Instant startedAt) {
    /** Where a run stands. */
    public enum State {
        /** It goes on with each step. */
        RUNNING,
        /** Until somebody resumes it. */
        PAUSED,
        /** It has taken all. */
        DONE,
        /** It was ended early; the letters that it has not taken stay. */
        ABANDONED
    }
}
