package dev.waybill.inbox;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a consumer is, at one moment. Immutable.
 *
 * @param running whether it was started and not stopped
 * @param databaseTrouble why nothing is received, as long as the database cannot be used; null if it can
 * @param loops its threads
 * @param hanging handlers that go on although they were interrupted: each keeps a worker until it returns
 */
public record ConsumerHealth(
        boolean running, @Nullable String databaseTrouble, List<Loop> loops, List<HangingHandler> hanging) {
    /** Copies the lists. */
    public ConsumerHealth {
        loops = List.copyOf(loops);
        hanging = List.copyOf(hanging);
    }

    /**
     * Whether it runs, the database can be used, all its threads live, and no handler hangs. A thread that has failed lives and
     * tries again.
     */
    public boolean isHealthy() {
        return running && databaseTrouble == null && loops.stream().allMatch(Loop::alive) && hanging.isEmpty();
    }

    /**
     * A handler that was interrupted, because its time was over or its lock was lost, whose statement was cancelled, whose
     * connection was cut, and which has not returned all the same. Its message is handled elsewhere by now; only the end of the
     * process frees the worker of one that never returns.
     *
     * @param messageId of the message in hand
     * @param session of that message; null if it has none
     * @param handlingFor how long the handler has been at it
     */
    public record HangingHandler(String messageId, @Nullable String session, Duration handlingFor) {}

    /**
     * One thread.
     *
     * @param name of the thread: {@code waybill-inbox-<consumer>-<kind>}
     * @param alive whether it lives; one that does not is started anew within a second
     * @param failures how often a turn of it has failed since the start
     * @param lastFailureAge how long ago that was the last time; null if it never was
     * @param lastFailure what it met then, in a line; null if there was nothing
     */
    public record Loop(
            String name,
            boolean alive,
            long failures,
            @Nullable Duration lastFailureAge,
            @Nullable String lastFailure) {}
}
