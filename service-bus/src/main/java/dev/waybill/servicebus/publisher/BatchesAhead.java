package dev.waybill.servicebus.publisher;

import dev.waybill.servicebus.publisher.BatchBuilder.BuiltBatch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
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

    /** Then the thread is shut down or busy with something else, and senders have filled their batches. */
    private static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** In place of a time. */
    private static final long NOT_PLANNED = 0;

    private final Scheduler encoding;
    private final LongSupplier nanoTime;
    private final Queue<Mono<BuiltBatch>> waiting = new ConcurrentLinkedQueue<>();

    /** When it was planned to fill those that wait. */
    private final AtomicLong planned = new AtomicLong(NOT_PLANNED);

    BatchesAhead(Scheduler encoding, LongSupplier nanoTime) {
        this.encoding = encoding;
        this.nanoTime = nanoTime;
    }

    /**
     * Fills one a moment later.
     *
     * @param batch cached, so that it is filled once
     */
    void fillSoon(Mono<BuiltBatch> batch) {
        waiting.add(batch);
        long now = nanoTime.getAsLong();
        long last = planned.get();
        boolean overdue = last != NOT_PLANNED && now - last > OVERDUE_NANOS;
        if ((last == NOT_PLANNED || overdue) && planned.compareAndSet(last, now)) {
            if (overdue) {
                waiting.clear();
            }
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
            planned.set(NOT_PLANNED);
        }
    }

    private void fillAll() {
        planned.set(NOT_PLANNED);
        for (@Nullable Mono<BuiltBatch> batch = waiting.poll(); batch != null; batch = waiting.poll()) {
            fillNow(batch);
        }
    }
}
