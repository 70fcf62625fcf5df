package dev.waybill.relay.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BreakerTest {
    private static final Throwable AWAY = new IllegalStateException("away");

    /** Without jitter a back-off is half of its length. */
    private static final RandomGenerator LEAST = () -> 0;

    private long now;
    private final Breaker breaker = new Breaker(() -> now, LEAST);

    @Test
    void a_broker_that_is_away_is_found_after_three_failures_and_then_left_in_peace() {
        report(Outcome.UNAVAILABLE);
        report(Outcome.UNEXPLAINED);
        assertThat(breaker.backOff()).isZero();
        assertThat(breaker.lastFailure()).isNull();
        report(Outcome.UNAVAILABLE);

        assertThat(breaker.backOff()).isEqualTo(Duration.ofMillis(50));
        assertThat(breaker.admits()).isFalse();
        assertThat(breaker.isFlowing()).isFalse();
        assertThat(breaker.lastFailure()).isNotNull();
        assertThat(breaker.refusal()).isNull();
    }

    @Test
    void failures_with_a_success_between_them_do_not_add_up() {
        for (int i = 0; i < 5; i++) {
            report(Outcome.UNAVAILABLE);
            report(Outcome.UNAVAILABLE);
            admitted();
            breaker.report(new PublishResult(1, Outcome.UNAVAILABLE, AWAY));
            report(Outcome.UNAVAILABLE);
            admitted();
            breaker.report(PublishResult.accepted(1));
        }

        assertThat(breaker.backOff()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"UNAVAILABLE, 100, 5000", "THROTTLED, 500, 30000", "DESTINATION_REFUSED, 1000, 60000"})
    void each_failed_probe_doubles_the_back_off_up_to_a_limit(Outcome outcome, long first, long longest) {
        openWith(outcome);
        long expected = first;
        for (int i = 0; i < 30; i++) {
            assertThat(breaker.backOff()).isEqualTo(Duration.ofMillis(expected / 2));
            pass(breaker.backOff());
            report(outcome);
            expected = Math.min(2 * expected, longest);
        }
    }

    @Test
    void the_jitter_makes_a_back_off_up_to_twice_as_long() {
        var longest = new Breaker(() -> now, new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new UnsupportedOperationException();
            }

            @Override
            public long nextLong(long bound) {
                return bound - 1;
            }
        });
        longest.admits();
        longest.report(failed(Outcome.THROTTLED));

        assertThat(longest.backOff()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void after_the_back_off_one_probe_is_sent_and_its_success_closes_the_breaker() {
        openWith(Outcome.UNAVAILABLE);
        pass(Duration.ofMillis(50).minusNanos(1));
        assertThat(breaker.admits()).isFalse();
        pass(Duration.ofNanos(1));

        assertThat(breaker.backOff()).isZero();
        assertThat(breaker.isProbing()).isFalse();
        assertThat(breaker.admits()).isTrue();
        assertThat(breaker.isProbing()).isTrue();
        assertThat(breaker.isFlowing()).isTrue();
        assertThat(breaker.admits()).isFalse();

        breaker.report(PublishResult.accepted(1));
        assertThat(breaker.isProbing()).isFalse();
        assertThat(breaker.lastFailure()).isNull();
        assertThat(breaker.admits()).isTrue();
        assertThat(breaker.admits()).isTrue();
        breaker.report(failed(Outcome.THROTTLED));
        assertThat(breaker.backOff()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void a_probe_whose_result_is_lost_is_repeated_after_a_minute() {
        openWith(Outcome.UNAVAILABLE);
        pass(Duration.ofMillis(50));
        assertThat(breaker.admits()).isTrue();
        pass(Breaker.LONGEST_PROBE.minusNanos(1));
        assertThat(breaker.admits()).isFalse();
        pass(Duration.ofNanos(1));

        assertThat(breaker.isProbing()).isFalse();
        assertThat(breaker.admits()).isTrue();
    }

    @Test
    void of_many_shipments_that_fail_together_only_the_first_doubles_the_back_off() {
        for (int i = 0; i < 9; i++) {
            breaker.admits();
        }
        for (int i = 0; i < 9; i++) {
            breaker.report(failed(Outcome.THROTTLED));
        }

        assertThat(breaker.backOff()).isEqualTo(Duration.ofMillis(250));
    }

    @ParameterizedTest
    @EnumSource(names = {"ACCEPTED", "NOT_SENT"})
    void a_shipment_that_was_stopped_before_its_first_send_shows_nothing(Outcome outcome) {
        openWith(Outcome.UNAVAILABLE);
        pass(Duration.ofMillis(50));
        breaker.admits();
        breaker.report(new PublishResult(0, outcome, null));

        assertThat(breaker.lastFailure()).isNotNull();
        assertThat(breaker.admits()).isTrue();
        assertThat(breaker.admits()).isFalse();
    }

    @Test
    void a_broker_that_refuses_a_message_is_there() {
        openWith(Outcome.DESTINATION_REFUSED);
        pass(Duration.ofSeconds(1));
        report(Outcome.MESSAGE_REFUSED);

        assertThat(breaker.refusal()).isNull();
        assertThat(breaker.backOff()).isZero();
        assertThat(breaker.isFlowing()).isTrue();
    }

    @Test
    void a_refusal_of_the_destination_is_told_until_something_is_accepted_and_counted_until_the_next_claim() {
        openWith(Outcome.DESTINATION_REFUSED);
        pass(Duration.ofSeconds(1));
        report(Outcome.DESTINATION_REFUSED);
        assertThat(breaker.refusal()).isSameAs(AWAY);
        assertThat(breaker.refusals()).isEqualTo(2);

        pass(Duration.ofSeconds(2));
        admitted();
        breaker.report(PublishResult.accepted(1));
        assertThat(breaker.refusal()).isNull();
        assertThat(breaker.refusals()).isEqualTo(2);
        breaker.restart();
        assertThat(breaker.refusals()).isZero();
    }

    @Test
    void a_new_claim_closes_the_breaker() {
        openWith(Outcome.DESTINATION_REFUSED);
        breaker.restart();

        assertThat(breaker.backOff()).isZero();
        assertThat(breaker.refusal()).isNull();
        assertThat(breaker.admits()).isTrue();
    }

    @Test
    void a_broker_is_silent_while_a_shipment_waits_for_its_answer() {
        pass(Duration.ofHours(1));
        assertThat(breaker.silence()).isZero();
        admitted();
        pass(Duration.ofSeconds(3));
        assertThat(breaker.silence()).isEqualTo(Duration.ofSeconds(3));

        admitted();
        assertThat(breaker.silence()).isEqualTo(Duration.ofSeconds(3));
        breaker.report(PublishResult.accepted(1));
        assertThat(breaker.silence()).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(breaker.silence()).isEqualTo(Duration.ofSeconds(1));
        breaker.report(PublishResult.accepted(1));
        assertThat(breaker.silence()).isZero();
    }

    @Test
    void a_batch_of_a_shipment_that_was_accepted_ends_the_silence_unless_another_has_failed() {
        admitted();
        pass(Duration.ofSeconds(3));
        breaker.isFlowing();
        assertThat(breaker.silence()).isZero();

        admitted();
        breaker.report(failed(Outcome.UNAVAILABLE));
        pass(Duration.ofSeconds(2));
        breaker.isFlowing();
        assertThat(breaker.silence()).isEqualTo(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @CsvSource({"UNAVAILABLE, 7", "UNEXPLAINED, 7", "THROTTLED, 2", "DESTINATION_REFUSED, 2", "MESSAGE_REFUSED, 2"})
    void an_answer_of_whatever_kind_ends_the_silence_and_a_failure_without_one_does_not(Outcome outcome, int seconds) {
        admitted();
        admitted();
        pass(Duration.ofSeconds(5));
        breaker.report(failed(outcome));
        pass(Duration.ofSeconds(2));

        assertThat(breaker.silence()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void the_silence_of_failures_goes_on_over_their_back_off() {
        report(Outcome.UNAVAILABLE);
        pass(Duration.ofSeconds(5));
        admitted();

        assertThat(breaker.silence()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_result_that_is_reported_twice_leaves_no_shipment_in_flight() {
        admitted();
        breaker.report(PublishResult.accepted(1));
        breaker.report(PublishResult.accepted(1));
        admitted();
        pass(Duration.ofSeconds(1));

        assertThat(breaker.silence()).isEqualTo(Duration.ofSeconds(1));
    }

    private void openWith(Outcome outcome) {
        while (breaker.backOff().isZero()) {
            report(outcome);
        }
    }

    private void report(Outcome outcome) {
        admitted();
        breaker.report(failed(outcome));
    }

    private void admitted() {
        assertThat(breaker.admits()).isTrue();
    }

    private static PublishResult failed(Outcome outcome) {
        return new PublishResult(0, outcome, AWAY);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
