package dev.waybill.inbox;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The health of a consumer at one moment. Immutable.
 *
 * @param running true after the start, false once stopped
 * @param databaseTrouble why the consumer receives nothing while the database is unusable; otherwise null
 * @param receiveTrouble why the consumer has received nothing for 10 s or more: the broker's words, or a failed turn; otherwise null
 * @param loops the consumer's threads
 * @param hanging handlers that ignored their interrupt: each occupies a worker until it returns
 */
public record ConsumerHealth(
        boolean running,
        @Nullable String databaseTrouble,
        @Nullable String receiveTrouble,
        List<Loop> loops,
        List<HangingHandler> hanging) {
    public ConsumerHealth {
        loops = List.copyOf(loops);
        hanging = List.copyOf(hanging);
    }

    /** True if the consumer runs and receives, the database is usable, no thread is dead and no handler hangs. A failed thread retries. */
    public boolean isHealthy() {
        return running
                && databaseTrouble == null
                && receiveTrouble == null
                && loops.stream().allMatch(Loop::alive)
                && hanging.isEmpty();
    }

    /**
     * A handler that still runs although the consumer interrupted it, cancelled its statement and cut its connection. Its timeout was
     * over or its lock was lost, so another worker handles its message by now. If the handler never returns, only the end of the
     * process frees its worker.
     *
     * @param session null if the message has none
     * @param handlingFor time since the handler was called
     */
    public record HangingHandler(String messageId, @Nullable String session, Duration handlingFor) {}

    /**
     * One thread.
     *
     * @param name {@code waybill-inbox-<consumer>-<kind>}
     * @param alive if false, the consumer replaces the thread within a second
     * @param failures failed turns since the start
     * @param lastFailureAge time since the last failure; null if there was none
     * @param lastFailure the last failure in one line; null if there was none
     */
    public record Loop(
            String name,
            boolean alive,
            long failures,
            @Nullable Duration lastFailureAge,
            @Nullable String lastFailure) {}
}
