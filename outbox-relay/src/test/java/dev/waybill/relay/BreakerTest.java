package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private static final PublishResult UNAVAILABLE = PublishResult.failed(0, new IllegalStateException("lost"));

    private final TestClock clock = new TestClock();
    private final Breaker breaker = new Breaker(clock, new SplittableRandom(1));

    @Test
    void one_lanes_failure_keeps_no_other_lane_from_sending() {
        breaker.report(UNAVAILABLE);
        breaker.report(UNAVAILABLE);

        assertThat(breaker.admits()).isTrue();
    }

    @Test
    void failures_in_a_row_spare_the_destination_ever_longer_and_a_success_forgets_them() {
        var rests = new Duration[3];
        for (int i = 0; i < 3; i++) {
            open();
            rests[i] = breaker.rest();
            clock.advanceMillis(5_000);
            assertThat(breaker.admits()).isTrue();
        }
        assertThat(rests[1]).isGreaterThan(rests[0]);
        assertThat(rests[2]).isGreaterThan(rests[1]);

        breaker.report(PublishResult.accepted(1));

        assertThat(breaker.admits()).isTrue();
        assertThat(breaker.admits()).isTrue();
        open();
        assertThat(breaker.rest()).isLessThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void lanes_that_fail_together_count_once() {
        for (int i = 0; i < 32; i++) {
            breaker.report(UNAVAILABLE);
        }

        assertThat(breaker.rest()).isLessThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void shipments_that_come_a_part_of_the_way_are_no_reason_to_spare_the_destination() {
        for (int i = 0; i < 10; i++) {
            breaker.report(PublishResult.failed(1, new IllegalStateException("lost")));
        }

        assertThat(breaker.admits()).isTrue();
    }

    @Test
    void after_the_rest_one_shipment_goes_to_see_and_no_second() {
        open();
        assertThat(breaker.admits()).isFalse();
        clock.advanceMillis(5_000);

        assertThat(breaker.admits()).isTrue();
        assertThat(breaker.admits()).isFalse();
    }

    @Test
    void throttling_spares_the_destination_at_once() {
        breaker.report(new PublishResult(0, Outcome.THROTTLED, new IllegalStateException("busy")));

        assertThat(breaker.admits()).isFalse();
        assertThat(breaker.isFlowing()).isFalse();
        assertThat(breaker.refusal()).isNull();
    }

    @Test
    void a_refused_message_shows_that_the_destination_answers() {
        open();
        clock.advanceMillis(5_000);
        breaker.admits();

        breaker.report(PublishResult.refused(0, new IllegalArgumentException("too large")));

        assertThat(breaker.rest()).isZero();
        assertThat(breaker.isFlowing()).isTrue();
    }

    @Test
    void a_shipment_that_was_stopped_before_its_first_send_proves_nothing() {
        open();
        clock.advanceMillis(5_000);
        breaker.admits();

        breaker.report(PublishResult.accepted(0));

        assertThat(breaker.admits()).as("another one goes to see").isTrue();
        assertThat(breaker.admits()).isFalse();
    }

    private void open() {
        for (int i = 0; i < 3; i++) {
            breaker.report(UNAVAILABLE);
        }
    }
}
