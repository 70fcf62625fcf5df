package dev.waybill.standalone.scale;

import dev.waybill.standalone.servicebus.SessionCounter.Count;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last count of each entity, so that several scalers cost one walk. A walk goes on when its asker has left, and its count
 * stands in for the next one if that is as slow.
 */
final class SessionWalks<K> {
    static final Duration KEPT = Duration.ofSeconds(10);

    /** KEDA waits 3 s for HTTP. */
    static final Duration LONGEST_WAIT = Duration.ofMillis(2_500);

    /** KEDA asks every 30 s. */
    static final Duration STANDS_IN = Duration.ofSeconds(60);

    private final LongSupplier nanos;
    private final Map<K, Walk> walks = new ConcurrentHashMap<>();

    SessionWalks(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * The count of an entity, at most {@link #KEPT} old, or {@link #STANDS_IN} if a new one takes longer than the asker waits.
     *
     * @throws TimeoutException if there is neither; the next question may find the result
     */
    Count of(K entity, Supplier<Count> walk) throws InterruptedException, ExecutionException, TimeoutException {
        Walk current = walks.compute(entity, (key, last) -> last == null || last.isOld() ? new Walk(last, walk) : last);
        try {
            return current.result.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            @Nullable Ended before = current.before;
            if (before == null || nanos.getAsLong() - before.at > STANDS_IN.toNanos()) {
                throw e;
            }
            return before.count;
        }
    }

    private static void begin(Runnable work) {
        var thread = new Thread(work, "waybill-scale");
        thread.setDaemon(true);
        thread.start();
    }

    private final class Walk {
        private final CompletableFuture<Count> result;

        /** Null if there was none, or it failed: a broker that is away has no count. */
        private final @Nullable Ended before;

        private volatile long endedAt;

        Walk(@Nullable Walk last, Supplier<Count> walk) {
            before = last == null || last.result.isCompletedExceptionally()
                    ? null
                    : new Ended(last.result.join(), last.endedAt);
            result = CompletableFuture.supplyAsync(walk, SessionWalks::begin)
                    .whenComplete((count, failure) -> endedAt = nanos.getAsLong());
        }

        boolean isOld() {
            return result.isDone() && nanos.getAsLong() - endedAt > KEPT.toNanos();
        }
    }

    private record Ended(Count count, long at) {}
}
