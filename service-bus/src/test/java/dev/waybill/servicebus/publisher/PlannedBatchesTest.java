package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicebus.publisher.BatchBuilder.BuiltBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Batches that wait to be filled, when the thread that would fill them does not. */
class PlannedBatchesTest {
    private static final long LONG_AFTER = TimeUnit.SECONDS.toNanos(2);

    private final Plans thread = new Plans();
    private long now = 1;
    private final BatchesAhead ahead = new BatchesAhead(thread, () -> now);
    private final List<String> filled = new ArrayList<>();

    @Test
    void batches_of_the_same_moment_are_filled_by_one_plan() {
        ahead.fillSoon(batch("a"));
        ahead.fillSoon(batch("b"));
        assertThat(filled).isEmpty();

        thread.comes();

        assertThat(filled).containsExactly("a", "b");
        assertThat(thread.plans).isEmpty();
    }

    /** Such as that no thread can be started. */
    @Test
    void after_an_error_while_it_was_planned_the_next_batch_is_filled_ahead_again() {
        thread.error = new OutOfMemoryError("planted");
        assertThatThrownBy(() -> ahead.fillSoon(batch("a"))).isInstanceOf(OutOfMemoryError.class);
        now += LONG_AFTER;
        ahead.fillSoon(batch("b"));
        ahead.fillSoon(batch("c"));

        thread.comes();

        assertThat(filled).contains("c");
    }

    /** Each has its messages with it, and its sender has filled it long since. */
    @Test
    void batches_are_not_kept_for_ever_when_the_thread_does_not_come() {
        ahead.fillSoon(batch("a"));
        thread.plans.clear();
        now += LONG_AFTER;
        ahead.fillSoon(batch("b"));
        ahead.fillSoon(batch("c"));

        thread.comes();

        assertThat(filled).containsExactly("c");
    }

    @Test
    void senders_fill_their_batches_themselves_once_the_threads_are_shut_down() {
        thread.shutDown = true;
        ahead.fillSoon(batch("a"));
        thread.shutDown = false;
        ahead.fillSoon(batch("b"));

        thread.comes();

        assertThat(filled).containsExactly("b");
    }

    private Mono<BuiltBatch> batch(String name) {
        return Mono.<BuiltBatch>fromRunnable(() -> filled.add(name)).cache();
    }

    /** A thread that does what was planned when the test says so. */
    private static final class Plans implements Scheduler {
        private final List<Runnable> plans = new ArrayList<>();
        private @Nullable Error error;
        private boolean shutDown;

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            if (shutDown) {
                throw new RejectedExecutionException("planted");
            }
            if (error != null) {
                Error planted = error;
                error = null;
                throw planted;
            }
            plans.add(task);
            return Disposables.disposed();
        }

        void comes() {
            List<Runnable> due = List.copyOf(plans);
            plans.clear();
            due.forEach(Runnable::run);
        }

        @Override
        public Disposable schedule(Runnable task) {
            return schedule(task, 0, TimeUnit.MILLISECONDS);
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException();
        }
    }
}
