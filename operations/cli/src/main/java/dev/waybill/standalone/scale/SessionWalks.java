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

/** Keeps the last count of each entity, so that several scalers cost one walk. A walk goes on when its asker has left. */
final class SessionWalks<K> {
    static final Duration KEPT = Duration.ofSeconds(10);

    /** KEDA waits 3 s for HTTP. */
    static final Duration LONGEST_WAIT = Duration.ofMillis(2_500);

    private final LongSupplier nanos;
    private final Map<K, Walk> walks = new ConcurrentHashMap<>();

    SessionWalks(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * The count of an entity, at most {@link #KEPT} old.
     *
     * @throws TimeoutException if the walk takes longer; the next question may find its result
     */
    Count of(K entity, Supplier<Count> walk) throws InterruptedException, ExecutionException, TimeoutException {
        return walks.compute(entity, (key, last) -> last == null || last.isOld() ? begin(walk) : last)
                .result
                .get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Walk begin(Supplier<Count> walk) {
        return new Walk(CompletableFuture.supplyAsync(walk, work -> {
            var thread = new Thread(work, "waybill-scale");
            thread.setDaemon(true);
            thread.start();
        }));
    }

    private final class Walk {
        private final CompletableFuture<Count> result;
        private volatile long ended;

        Walk(CompletableFuture<Count> walking) {
            result = walking.whenComplete((count, failure) -> ended = nanos.getAsLong());
        }

        boolean isOld() {
            return result.isDone() && nanos.getAsLong() - ended > KEPT.toNanos();
        }
    }
}
