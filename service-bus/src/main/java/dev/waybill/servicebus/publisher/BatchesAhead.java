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
 * Small batches that follow those in flight. Another thread fills many of them after a short delay, because waking that thread
 * for each would take longer than filling it. If a batch is needed sooner, its sender fills it. Thread-safe.
 */
final class BatchesAhead {
    /** Shorter than the response time of a remote broker. */
    private static final long MOMENT_MILLIS = 1;

    /** After this time the thread is stopped or busy, and senders have filled their batches. */
    private static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NOT_PLANNED = 0;

    private final Scheduler encoding;
    private final LongSupplier nanoTime;
    private final Queue<Mono<BuiltBatch>> waiting = new ConcurrentLinkedQueue<>();

    /** When the next filling was scheduled. */
    private final AtomicLong planned = new AtomicLong(NOT_PLANNED);

    BatchesAhead(Scheduler encoding, LongSupplier nanoTime) {
        this.encoding = encoding;
        this.nanoTime = nanoTime;
    }

    /** Fills a batch after the delay. The batch must be cached, so that it is filled once. */
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

    /** Fills a batch at once. Its sender sees the errors. */
    static void fillNow(Mono<BuiltBatch> batch) {
        batch.onErrorComplete().subscribe();
    }

    private void plan() {
        try {
            encoding.schedule(this::fillAll, MOMENT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The application has shut down Reactor's schedulers; senders fill their batches.
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
