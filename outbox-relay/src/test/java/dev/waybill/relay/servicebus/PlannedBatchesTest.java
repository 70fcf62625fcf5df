package dev.waybill.relay.servicebus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.relay.servicebus.BatchBuilder.BuiltBatch;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What becomes of batches that wait to be filled when the thread that would fill them does not. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PlannedBatchesTest {
    private static final String HOOK = "planted";
    private final Scheduler threads = Schedulers.newParallel("encoding", 1, true);
    private final BatchesAhead ahead = new BatchesAhead(Schedulers.single(threads));

    @AfterEach
    void stop() {
        Schedulers.resetOnScheduleHook(HOOK);
        threads.dispose();
    }

    /** Such as that no thread can be started. */
    @Test
    void after_an_error_while_it_was_planned_the_next_batch_is_filled_ahead_again() {
        var errors = new AtomicInteger(1);
        Schedulers.onScheduleHook(HOOK, task -> {
            if (errors.getAndDecrement() > 0) {
                throw new OutOfMemoryError("planted");
            }
            return task;
        });
        assertThatThrownBy(() -> ahead.fillSoon(Mono.<BuiltBatch>empty().cache()))
                .isInstanceOf(OutOfMemoryError.class);

        var filled = new AtomicBoolean();
        await().atMost(5, TimeUnit.SECONDS).untilAsserted(() -> {
            ahead.fillSoon(Mono.<BuiltBatch>fromRunnable(() -> filled.set(true)).cache());
            assertThat(filled).isTrue();
        });
    }

    /** Somebody shuts down Reactor's threads within the moment. */
    @Test
    void batches_are_not_kept_for_ever_when_the_threads_are_shut_down_before_the_moment_is_over() throws Exception {
        ahead.fillSoon(Mono.<BuiltBatch>empty().cache());
        threads.dispose();
        // Longer than a plan is waited for.
        Thread.sleep(1500);

        WeakReference<?> kept = add();

        await().atMost(5, TimeUnit.SECONDS).untilAsserted(() -> {
            System.gc();
            assertThat(kept.get()).isNull();
        });
    }

    private WeakReference<?> add() {
        Mono<BuiltBatch> batch = Mono.<BuiltBatch>empty().cache();
        ahead.fillSoon(batch);
        return new WeakReference<>(batch);
    }
}
