package dev.waybill.deadletter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of the threads of a collector, one for each queue, for a health check. Immutable. */
public record CollectorHealth(List<OfThread> threads) {
    public CollectorHealth {
        threads = List.copyOf(threads);
    }

    /** Whether every thread is alive and its last turn succeeded. False once the collector is closed. */
    public boolean isWell() {
        return threads.stream().allMatch(thread -> thread.alive() && thread.failure() == null);
    }

    /** The state of one thread; {@code failure} is what the last turn threw, or null if it succeeded. */
    public record OfThread(
            DeadLetterEntity entity,
            boolean alive,
            long failures,
            @Nullable String failure) {}
}
