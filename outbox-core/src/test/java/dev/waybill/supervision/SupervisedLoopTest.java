package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SupervisedLoopTest {
    private static final BackOff SHORT = new BackOff(Duration.ofMillis(1), Duration.ofMillis(5));

    private final StopSignal signal = new StopSignal();
    private final AtomicInteger turns = new AtomicInteger();

    @AfterEach
    void stop() {
        signal.stop();
    }

    @Test
    void a_failure_of_the_loop_itself_ends_no_thread() throws Exception {
        var rested = new CountDownLatch(2);
        var loop = new SupervisedLoop("unlucky", this::outOfMemory, SHORT, new Rests() {
            @Override
            public boolean stopping() {
                return signal.stopping();
            }

            @Override
            public void rest(Duration atMost) {
                rested.countDown();
                throw new OutOfMemoryError("Java heap space");
            }
        });
        loop.start();

        assertThat(rested.await(30, TimeUnit.SECONDS)).isTrue();

        await().until(() -> loop.state().failures() > 1);
        assertThat(loop.state().alive()).isTrue();
        signal.stop();
        loop.join(Duration.ofSeconds(10));
        assertThat(loop.state().alive()).isFalse();
    }

    @Test
    void an_interrupt_that_no_stop_has_asked_for_ends_neither_the_loop_nor_its_rest() throws Exception {
        var loop = new SupervisedLoop("interrupted", this::longRest, SHORT, signal);
        loop.start();
        await().until(() -> turns.get() == 1);

        loop.interrupt();
        signal.wake();

        await().until(() -> turns.get() == 2);
        assertThat(loop.state().failures()).isZero();
    }

    @Test
    void a_wake_while_the_loop_does_not_rest_is_remembered() {
        signal.wake();

        new SupervisedLoop("woken", this::longRest, SHORT, signal).start();

        await().until(() -> turns.get() == 2);
    }

    @Test
    void a_turn_that_works_ends_the_row_of_failures() {
        var loop = new SupervisedLoop(
                "recovering",
                () -> {
                    if (turns.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return Duration.ofDays(1);
                },
                SHORT,
                signal);
        loop.start();

        await().until(() -> turns.get() == 3 && !loop.state().failing());
        assertThat(loop.state().failures()).isEqualTo(2);
    }

    @Test
    void the_last_thing_is_done_by_the_thread_that_took_the_turns() throws Exception {
        var last = new CountDownLatch(1);
        var loop = new SupervisedLoop("leaving", this::longRest, SHORT, signal, () -> {
            if (Thread.currentThread().getName().equals("leaving")) {
                last.countDown();
            }
        });
        loop.start();
        await().until(() -> turns.get() == 1);

        signal.stop();

        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(turns).hasValue(1);
    }

    @Test
    void an_error_of_the_turn_that_a_stop_meets_is_counted() throws Exception {
        var loop = new SupervisedLoop(
                "unlucky in the end",
                () -> {
                    signal.stop();
                    return outOfMemory();
                },
                SHORT,
                signal);

        loop.start();
        loop.join(Duration.ofSeconds(30));

        assertThat(loop.state().alive()).isFalse();
        assertThat(loop.state().failures()).isEqualTo(1);
    }

    private Duration longRest() {
        turns.incrementAndGet();
        return Duration.ofDays(1);
    }

    private Duration outOfMemory() {
        throw new OutOfMemoryError("Java heap space");
    }
}
