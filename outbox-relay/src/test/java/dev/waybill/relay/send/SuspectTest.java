package dev.waybill.relay.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.hold.Cause;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.send.LanesUnderTest.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows that may be at fault: sent alone, set aside, retried, blocked. */
class SuspectTest {
    private final LanesUnderTest memory = new LanesUnderTest(HoldPolicy.HOLD_SESSION);
    private final DestinationLanes lanes = memory.lanes;

    @Test
    void after_an_unexplained_refusal_the_rows_of_the_batch_are_sent_one_by_one() {
        memory.read("a1", "b2", "c3");
        memory.send(Result.UNEXPLAINED);

        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("a1");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b2");
        memory.read("d4", "e5");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("c3");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("d4 e5");
    }

    @Test
    void a_row_that_is_refused_alone_without_a_reason_is_set_aside_with_its_session() {
        memory.read("a1", "b2", "a3");
        memory.send(Result.UNEXPLAINED);
        assertThat(memory.send(Result.UNEXPLAINED)).isEqualTo("a1");
        memory.read("a4", "b5");

        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b2");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b5");
        assertThat(memory.hasNothingToSend()).isTrue();
        assertThat(lanes.isWaiting()).isFalse();
        assertThat(lanes.rows()).isEqualTo(5);

        memory.pass(Duration.ofSeconds(1));
        assertThat(lanes.isWaiting()).isTrue();
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("a1");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("a3 a4");
        assertThat(memory.accepted()).isEqualTo("2 5 1 3 4");
    }

    @Test
    void a_suspect_rests_twice_as_long_after_each_failure_and_half_a_minute_at_most() {
        suspect();
        for (int seconds : List.of(1, 2, 4, 8, 16, 32, 32)) {
            memory.pass(Duration.ofSeconds(seconds).minusNanos(1));
            assertThat(memory.hasNothingToSend()).isTrue();
            memory.pass(Duration.ofNanos(1));
            assertThat(memory.send(Result.UNEXPLAINED)).isEqualTo("a1");
        }
        assertThat(memory.blocked()).isEmpty();
    }

    @Test
    void a_suspect_is_at_fault_if_others_are_accepted_after_each_of_five_failures() {
        suspect();
        memory.read("a2");
        for (int i = 0; i < 4; i++) {
            assertThat(memory.blocked()).isEmpty();
            memory.acceptOthers(1);
            memory.pass(Duration.ofMinutes(1));
            assertThat(memory.send(i % 2 == 0 ? Result.UNEXPLAINED : Result.UNAVAILABLE))
                    .isEqualTo("a1");
        }

        assertThat(memory.blocked()).isEqualTo("a1 a2");
        assertThat(lanes.blocked(1).get(0).cause())
                .isEqualTo(
                        new Cause(
                                "IllegalStateException",
                                "The broker refused it alone 5 times without a known reason, while it accepted 4 others: away"));
    }

    @Test
    void a_suspect_that_fails_while_nothing_else_is_accepted_is_not_at_fault() {
        suspect();
        memory.acceptOthers(3);
        for (int i = 0; i < 9; i++) {
            memory.pass(Duration.ofMinutes(1));
            memory.send(Result.UNEXPLAINED);
        }

        assertThat(memory.blocked()).isEmpty();
    }

    @Test
    void while_many_rows_are_suspects_ten_others_each_must_be_accepted_before_one_is_at_fault() {
        suspect();
        memory.read("b2");
        memory.send(Result.UNEXPLAINED);
        for (int i = 0; i < 4; i++) {
            memory.acceptOthers(i == 3 ? 6 : 1);
            memory.pass(Duration.ofMinutes(1));
            assertThat(memory.send(Result.UNEXPLAINED)).isEqualTo("a1");
            assertThat(memory.send(Result.UNEXPLAINED)).isEqualTo("b2");
        }
        assertThat(memory.blocked()).isEmpty();

        memory.acceptOthers(1);
        memory.pass(Duration.ofMinutes(1));
        memory.send(Result.UNEXPLAINED);
        assertThat(memory.blocked()).isEqualTo("a1");
    }

    @Test
    void a_suspect_that_is_refused_for_a_reason_is_blocked_with_that_reason() {
        suspect();
        memory.read("a2");
        memory.pass(Duration.ofSeconds(1));
        memory.send(Result.REFUSED);

        assertThat(memory.blocked()).isEqualTo("a1 a2");
        assertThat(lanes.blocked(1).get(0).cause()).isEqualTo(new Cause("IllegalArgumentException", "too large"));
    }

    @Test
    void a_throttled_suspect_gets_no_strike() {
        suspect();
        memory.pass(Duration.ofSeconds(1));
        memory.send(size -> new PublishResult(0, Outcome.THROTTLED, new IllegalStateException("busy")));

        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("a1");
    }

    /** The first row is a suspect. */
    private void suspect() {
        memory.read("a1");
        memory.send(Result.UNEXPLAINED);
        assertThat(memory.hasNothingToSend()).isTrue();
    }

    @Test
    void a_batch_that_breaks_its_connection_three_times_while_others_pass_is_sent_row_by_row() {
        memory.read("a1", "b2");
        for (int i = 0; i < 3; i++) {
            assertThat(memory.sendBesideAnother(Result.UNAVAILABLE)).isEqualTo("a1 b2");
        }

        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("a1");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b2");
    }

    @Test
    void a_broker_that_is_away_makes_no_suspects() {
        memory.read("a1", "b2");
        for (int i = 0; i < 9; i++) {
            assertThat(memory.send(Result.UNAVAILABLE)).isEqualTo("a1 b2");
        }
    }

    @Test
    void a_batch_that_passes_in_part_makes_no_suspects() {
        memory.read("a1", "b2", "c3", "d4");
        memory.sendBesideAnother(Result.UNAVAILABLE);
        memory.sendBesideAnother(Result.UNAVAILABLE);
        memory.send(size -> PublishResult.failed(1, new IllegalStateException("away")));
        memory.sendBesideAnother(Result.UNAVAILABLE);

        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b2 c3 d4");
    }

    @Test
    void a_suspect_that_crashes_the_process_is_blocked_with_its_session() {
        suspect();
        memory.read("a2", "b3");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b3");
        memory.pass(Duration.ofSeconds(1));
        lanes.refuseFirst(memory.begin(), new Cause("Crash", "it ends processes"));

        assertThat(memory.blocked()).isEqualTo("a1 a2");
        memory.pass(Duration.ofHours(1));
        assertThat(memory.hasNothingToSend()).isTrue();
    }

    @Test
    void the_session_of_a_suspect_fills_its_lane_too() {
        suspect();
        for (int i = 2; i <= Lane.FULL; i++) {
            memory.read("a" + i);
        }

        assertThat(lanes.fullLanes()).isEqualTo(1);
        assertThat(memory.hasNothingToSend()).isTrue();
    }

    @Test
    void another_server_forgets_suspects_full_lanes_and_rows_that_are_sent_alone() {
        suspect();
        memory.pass(Duration.ofSeconds(1));
        Batch retried = memory.begin();
        for (int i = 2; i <= Lane.FULL + 1; i++) {
            memory.read("b" + i);
        }
        lanes.abandon();

        assertThat(lanes.rows()).isEqualTo(1);
        assertThat(lanes.fullLanes()).isZero();
        lanes.collect(retried, PublishResult.failed(0, new IllegalStateException("away")));
        assertThat(lanes.isEmpty()).isTrue();
        memory.pass(Duration.ofHours(1));
        assertThat(memory.hasNothingToSend()).isTrue();
    }
}
