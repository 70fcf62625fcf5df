package dev.waybill.deadletter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the threads of a collector are at one moment; for the health check of the process that has it. Immutable.
 *
 * @param threads one for each entity, in the order in which the queues were given
 */
public record CollectorHealth(List<OfThread> threads) {
    /** Copies the list. */
    public CollectorHealth {
        threads = List.copyOf(threads);
    }

    /** Whether every thread is there and the last turn of each worked. False once the collector is closed. */
    public boolean isWell() {
        return threads.stream().allMatch(thread -> thread.alive() && thread.failure() == null);
    }

    /**
     * How one thread is.
     *
     * @param alive whether the thread is there
     * @param failures how many turns have failed since the start; after each the next one followed
     * @param failure what the last turn failed of, class and message; null if it did not
     */
    public record OfThread(
            DeadLetterEntity entity,
            boolean alive,
            long failures,
            @Nullable String failure) {}
}
