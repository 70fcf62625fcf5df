package dev.waybill.inbox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.supervision.CountedFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerLoopsTest {
    private final CountDownLatch stop = new CountDownLatch(1);
    private final WorkerClock workerClock =
            new WorkerClock(System::nanoTime, pause -> !stop.await(pause.toNanos(), TimeUnit.NANOSECONDS));
    private final ConsumerLoops loops = new ConsumerLoops("test", workerClock);

    @AfterEach
    void stop() throws InterruptedException {
        stop.countDown();
        loops.join(Duration.ofSeconds(5));
    }

    @Test
    void a_rest_that_fails_is_counted_and_ends_no_thread() {
        var rests = new AtomicInteger();
        var turns = new AtomicInteger();
        var deadly = new WorkerClock(System::nanoTime, pause -> {
            if (!pause.isZero() && rests.incrementAndGet() == 1) {
                throw new OutOfMemoryError("no memory for anything");
            }
            return stop.getCount() > 0;
        });
        loops.addLasting("deadly", () -> Duration.ofMillis(turns.incrementAndGet()), deadly, Duration.ofSeconds(1));

        loops.start();

        await().until(() -> turns.get() > 1);
        assertThat(loops.health()).singleElement().satisfies(loop -> {
            assertThat(loop.alive()).isTrue();
            assertThat(loop.failures()).isOne();
            assertThat(loop.lastFailure()).contains("no memory for anything");
        });
    }

    @Test
    void a_turn_that_throws_anything_is_counted_and_followed_by_another_one() {
        var turns = new AtomicInteger();
        loops.add(
                "failing",
                () -> {
                    switch (turns.incrementAndGet()) {
                        case 1 -> throw new InterruptedException("by nobody who stops it");
                        case 2 -> throw new StackOverflowError();
                        case 3 -> Thread.currentThread().interrupt();
                        default -> {}
                    }
                    return Duration.ofMillis(10);
                },
                Duration.ofMillis(5));

        loops.start();

        await().until(() -> turns.get() > 4);
        assertThat(loops.health().get(0).alive()).isTrue();
        assertThat(loops.health().get(0).failures()).isEqualTo(2);
    }

    @Test
    void a_failure_that_has_been_dealt_with_is_counted_and_the_next_turn_comes_at_once() {
        var turns = new AtomicInteger();
        loops.add(
                "dealing",
                () -> {
                    if (turns.incrementAndGet() <= 30) {
                        throw CountedFailure.handled(new IllegalStateException("dealt with"));
                    }
                    return Duration.ofDays(1);
                },
                Duration.ofDays(1));

        loops.start();

        // With a rest after each, that would take hours.
        await().until(() -> turns.get() > 30);
        assertThat(loops.health().get(0).failures()).isEqualTo(30);
        assertThat(loops.health().get(0).lastFailure()).contains("IllegalStateException", "dealt with");
    }

    @Test
    void a_stop_ends_a_thread_that_rests() throws InterruptedException {
        var rests = new CountDownLatch(1);
        loops.add(
                "resting",
                () -> {
                    rests.countDown();
                    return Duration.ofDays(1);
                },
                Duration.ofSeconds(1));
        loops.start();
        assertThat(rests.await(5, TimeUnit.SECONDS)).isTrue();

        stop.countDown();
        loops.join(Duration.ofSeconds(5));

        assertThat(loops.health().get(0).alive()).isFalse();
    }
}
