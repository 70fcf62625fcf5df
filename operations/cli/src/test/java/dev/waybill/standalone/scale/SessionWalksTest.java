package dev.waybill.standalone.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.standalone.servicebus.SessionCounter.Count;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SessionWalksTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final SessionWalks<String> walks = new SessionWalks<>(nanos::get);

    private Count walk() {
        return new Count(asked.incrementAndGet(), false);
    }

    @Test
    void several_scalers_cost_one_walk_until_it_is_old() throws Exception {
        assertThat(walks.of("orders", this::walk).sessions()).isOne();
        nanos.addAndGet(SessionWalks.KEPT.toNanos());
        assertThat(walks.of("orders", this::walk).sessions()).isOne();
        nanos.addAndGet(1);
        assertThat(walks.of("orders", this::walk).sessions()).isEqualTo(2);
        assertThat(walks.of("bills", this::walk).sessions()).isEqualTo(3);
    }

    @Test
    void a_walk_that_is_slower_than_the_scaler_is_begun_once_and_read_by_the_next_question() throws Exception {
        var go = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        assertThatThrownBy(() -> walks.of("orders", () -> {
                    awaited(go);
                    try {
                        return walk();
                    } finally {
                        ended.countDown();
                    }
                }))
                .isInstanceOf(TimeoutException.class);
        nanos.addAndGet(2 * SessionWalks.KEPT.toNanos());
        go.countDown();
        ended.await();

        assertThat(walks.of("orders", this::walk).sessions()).isOne();
    }

    /** KEDA asks every 30 s unless told otherwise, so each of its questions finds an old count. */
    @Test
    void walks_that_are_all_slower_than_the_scaler_still_answer_it() throws Exception {
        CompletableFuture<Count> first = slow();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        first.complete(new Count(7, false));
        assertThat(walks.of("orders", this::walk).sessions()).isEqualTo(7);
        nanos.addAndGet(Duration.ofSeconds(25).toNanos());

        assertThat(walks.of("orders", new CompletableFuture<Count>()::join)).isEqualTo(new Count(7, false));
    }

    @Test
    void a_count_does_not_stand_in_after_a_minute_or_after_a_failure() throws Exception {
        assertThat(walks.of("orders", this::walk).sessions()).isOne();
        nanos.addAndGet(SessionWalks.STANDS_IN.toNanos() + 1);
        CompletableFuture<Count> failing = slow();
        failing.completeExceptionally(new IllegalStateException("away"));
        assertThatThrownBy(() -> walks.of("orders", this::walk)).isInstanceOf(ExecutionException.class);
        nanos.addAndGet(SessionWalks.KEPT.toNanos() + 1);

        slow();
    }

    private CompletableFuture<Count> slow() {
        var walk = new CompletableFuture<Count>();
        assertThatThrownBy(() -> walks.of("orders", walk::join)).isInstanceOf(TimeoutException.class);
        return walk;
    }

    @Test
    void a_failure_is_a_failure_and_not_none() {
        assertThatThrownBy(() -> walks.of("orders", () -> {
                    throw new IllegalStateException("away");
                }))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("away");
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
