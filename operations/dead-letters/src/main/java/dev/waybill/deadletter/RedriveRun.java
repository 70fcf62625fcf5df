package dev.waybill.deadletter;

import dev.waybill.hold.AuditContext;
import java.time.Duration;
import java.time.Instant;

/**
 * A re-drive of many, as it stands.
 *
 * @param progress how far it has come
 */
public record RedriveRun(
        long id, State state, RedriveRequest request, Progress progress, AuditContext instruction, Instant startedAt) {
    /** How many messages were chosen. */
    public int items() {
        return progress.items();
    }

    /** How many of the chosen messages were taken so far. */
    public int position() {
        return progress.position();
    }

    /** How many of the messages that were taken were re-driven. */
    public int redriven() {
        return progress.redriven();
    }

    /**
     * How far a run has come.
     *
     * @param items how many messages were chosen
     * @param position how many of them were taken so far
     * @param redriven how many of these were re-driven; the others had been closed or erased by somebody else, or
     *     are open still because the consumer was at work on them at that moment or because they were redacted
     */
    public record Progress(int items, int position, int redriven) {}

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

    /**
     * The result of a step.
     *
     * @param redriven how many messages
     * @param state of the run after it
     * @param rest how long to wait before the next step, for the rate's sake
     */
    public record Step(int redriven, RedriveRun.State state, Duration rest) {}
}
