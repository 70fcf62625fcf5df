package dev.waybill.relay.servicebus;

import dev.waybill.relay.servicebus.BatchBuilder.BuiltBatch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Small batches of one connection that follow those on their way. They are filled by a thread other than the SDK's, a moment
 * later and many at a time, because to wake that thread for each takes longer than to fill it. A batch whose turn
 * comes sooner is filled by its sender. Thread-safe.
 */
final class BatchesAhead {
    /** Brokers that are not in the same process take longer to answer. */
    private static final long MOMENT_MILLIS = 1;

    private final Scheduler encoding;
    private final Queue<Mono<BuiltBatch>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean planned = new AtomicBoolean();

    BatchesAhead(Scheduler encoding) {
        this.encoding = encoding;
    }

    /** @param batch cached, so that it is filled once */
    void fillSoon(Mono<BuiltBatch> batch) {
        waiting.add(batch);
        if (!planned.getAndSet(true)) {
            plan();
        }
    }

    /** Fills one at once. Errors are met when its turn has come. */
    static void fillNow(Mono<BuiltBatch> batch) {
        batch.onErrorComplete().subscribe();
    }

    private void plan() {
        try {
            encoding.schedule(this::fillAll, MOMENT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Somebody has shut down all of Reactor's threads; senders can do without.
            waiting.clear();
            planned.set(false);
        }
    }

    private void fillAll() {
        planned.set(false);
        for (@Nullable Mono<BuiltBatch> batch = waiting.poll(); batch != null; batch = waiting.poll()) {
            fillNow(batch);
        }
    }
}
