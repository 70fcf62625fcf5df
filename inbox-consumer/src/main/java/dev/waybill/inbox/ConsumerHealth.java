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
 */
public record ConsumerHealth(boolean running, @Nullable String databaseTrouble, List<Loop> loops) {
    /** Copies the list. */
    public ConsumerHealth {
        loops = List.copyOf(loops);
    }

    /** Whether it runs, the database can be used, and all its threads live. A thread that has failed lives and tries again. */
    public boolean isHealthy() {
        return running && databaseTrouble == null && loops.stream().allMatch(Loop::alive);
    }

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
