package dev.waybill.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits that a stop makes short. */
@Timeout(60)
class BoundedWaitsTest {
    private final BoundedWaits waits = new BoundedWaits();
    private final CountDownLatch never = new CountDownLatch(1);

    @Test
    void a_wait_that_a_stop_meets_is_cut_and_leaves_no_interrupt_behind() {
        try (var limit = waits.limit(Duration.ofMillis(1))) {
            assertThatThrownBy(this::waitForEver).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(limit).isNotNull();
        }
    }

    /** Each of ten threads would otherwise wait for the same thing that is not there, one after the other. */
    @Test
    void after_a_wait_that_was_cut_only_what_is_there_is_taken() throws Exception {
        try (var limit = waits.limit(Duration.ofMillis(1))) {
            assertThatThrownBy(this::waitForEver).isInstanceOf(InterruptedException.class);
            assertThat(limit).isNotNull();
        }

        assertThatThrownBy(this::waitForEver).isInstanceOf(InterruptedException.class);
        assertThat(waits.<String, Exception>during(() -> "there")).isEqualTo("there");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void an_interrupt_by_others_stays() throws Exception {
        Thread.currentThread().interrupt();

        waits.<String, Exception>during(() -> "there");

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_last_thing_that_does_not_end_is_left_behind() throws Exception {
        var begun = new CountDownLatch(1);
        try (var limit = waits.limit(Duration.ofMillis(50))) {
            limit.last("test-last", () -> {
                begun.countDown();
                while (never.getCount() > 0) {
                    Thread.onSpinWait();
                }
            });
        }
        begun.await();
        never.countDown();
    }

    private void waitForEver() throws InterruptedException {
        waits.<String, InterruptedException>during(() -> {
            never.await();
            return "never";
        });
    }
}
