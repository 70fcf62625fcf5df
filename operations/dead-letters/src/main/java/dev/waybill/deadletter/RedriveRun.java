package dev.waybill.deadletter;

import dev.waybill.hold.AuditContext;
import java.time.Duration;
import java.time.Instant;

/** A run of a re-drive. */
public record RedriveRun(
        long id, State state, RedriveRequest request, Progress progress, AuditContext instruction, Instant startedAt) {
    public int items() {
        return progress.items();
    }

    public int position() {
        return progress.position();
    }

    public int redriven() {
        return progress.redriven();
    }

    /**
     * The progress of a run.
     *
     * @param items letters that were chosen
     * @param position letters that were taken so far
     * @param redriven letters that were re-driven. The others were closed or erased meanwhile, or stay open: they were redacted,
     *     or the consumer was handling them
     */
    public record Progress(int items, int position, int redriven) {}

    public enum State {
        RUNNING,
        /** It waits for {@link Redrives#resume}. */
        PAUSED,
        DONE,
        /** It was ended early; letters that it has not taken stay open. */
        ABANDONED
    }

    /**
     * The result of a step.
     *
     * @param redriven messages that were re-driven
     * @param state state of the run after the step
     * @param rest time to wait before the next step, for the rate
     */
    public record Step(int redriven, RedriveRun.State state, Duration rest) {}
}
