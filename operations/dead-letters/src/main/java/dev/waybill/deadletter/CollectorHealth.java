package dev.waybill.deadletter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the threads of a collector, for a health check. Immutable.
 *
 * @param threads one for each queue, in the order in which the queues were given
 */
public record CollectorHealth(List<OfThread> threads) {
    public CollectorHealth {
        threads = List.copyOf(threads);
    }

    /** Whether every thread is alive and its last turn succeeded. False once the collector is closed. */
    public boolean isWell() {
        return threads.stream().allMatch(thread -> thread.alive() && thread.failure() == null);
    }

    /**
     * The state of one thread.
     *
     * @param failures turns that have failed since the start
     * @param failure class and message of what the last turn threw; null if it succeeded
     */
    public record OfThread(
            DeadLetterEntity entity,
            boolean alive,
            long failures,
            @Nullable String failure) {}
}
