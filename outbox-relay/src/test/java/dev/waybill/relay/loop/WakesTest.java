package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.lease.HandClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A writer signals the loop when that makes a message earlier, and only then. */
class WakesTest {
    private final HandClock clock = new HandClock();
    private Wakes wakes;

    @BeforeEach
    void rest() {
        wakes = new Wakes(clock);
        rests(Duration.ofMillis(500), Duration.ofMillis(8));
    }

    @Test
    void a_loop_that_rests_for_long_is_signalled_by_the_first_of_many_writers() {
        assertThat(wakes.add(List.of("orders"))).isTrue();
        assertThat(wakes.add(List.of("orders"))).isFalse();
        assertThat(wakes.add(List.of("bills"))).isTrue();
    }

    @Test
    void a_loop_that_looks_as_early_as_it_may_is_not_signalled() {
        rests(Duration.ofMillis(8), Duration.ofMillis(8));

        assertThat(wakes.add(List.of("orders"))).isFalse();
        assertThat(wakes.contains("orders")).isTrue();
    }

    @Test
    void who_commits_after_a_read_has_begun_signals_again() {
        wakes.add(List.of("orders"));
        wakes.remove("orders");

        assertThat(wakes.add(List.of("orders"))).isTrue();
    }

    @Test
    void a_loop_that_is_at_work_looks_before_it_rests() {
        clock.advance(Duration.ofMillis(600));

        assertThat(wakes.add(List.of("orders"))).isFalse();
        assertThat(wakes.isEmpty()).isFalse();
    }

    private void rests(Duration until, Duration mayRead) {
        wakes.rests(clock.getAsLong() + until.toNanos(), clock.getAsLong() + mayRead.toNanos());
    }
}
