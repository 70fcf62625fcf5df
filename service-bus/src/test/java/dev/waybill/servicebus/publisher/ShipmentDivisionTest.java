package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.servicebus.publisher.SessionBatches.BatchResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answer about shares that met different fates: never more than is true of every row. */
class ShipmentDivisionTest {
    private static final int ROWS = 10;
    private static final BatchResult WELL = new BatchResult(Integer.MAX_VALUE, PublishResult.accepted(4));

    @Test
    void all_is_accepted_if_every_share_is() {
        assertThat(SessionBatches.together(ROWS, List.of(WELL, WELL))).isEqualTo(PublishResult.accepted(ROWS));
    }

    @Test
    void only_what_comes_before_the_first_row_that_was_not_accepted_counts() {
        var away = new IllegalStateException("away");

        var result = SessionBatches.together(
                ROWS,
                List.of(new BatchResult(7, PublishResult.failed(2, away)), WELL, stopped(5, Outcome.UNAVAILABLE)));

        assertThat(result.accepted()).isEqualTo(5);
        assertThat(result.outcome()).isEqualTo(Outcome.UNAVAILABLE);
    }

    @Test
    void a_refused_row_is_named_when_all_else_is_well() {
        var result = SessionBatches.together(ROWS, List.of(WELL, stopped(3, Outcome.MESSAGE_REFUSED)));

        assertThat(result.accepted()).isEqualTo(3);
        assertThat(result.outcome()).isEqualTo(Outcome.MESSAGE_REFUSED);
    }

    @Test
    void of_two_refused_rows_the_first_is_named() {
        var result = SessionBatches.together(
                ROWS, List.of(stopped(6, Outcome.MESSAGE_REFUSED), stopped(3, Outcome.MESSAGE_REFUSED)));

        assertThat(result.accepted()).isEqualTo(3);
        assertThat(result.outcome()).isEqualTo(Outcome.MESSAGE_REFUSED);
    }

    @Test
    void nobody_is_blamed_while_something_else_is_wrong() {
        for (int elsewhere : new int[] {2, 8}) {
            var result = SessionBatches.together(
                    ROWS, List.of(stopped(5, Outcome.MESSAGE_REFUSED), stopped(elsewhere, Outcome.THROTTLED)));

            assertThat(result.accepted()).isEqualTo(Math.min(5, elsewhere));
            assertThat(result.outcome()).isEqualTo(Outcome.THROTTLED);
        }
    }

    @Test
    void a_refused_row_behind_a_share_that_was_not_to_go_on_is_not_named() {
        var paused = new BatchResult(1, PublishResult.accepted(1));

        var result = SessionBatches.together(ROWS, List.of(paused, stopped(5, Outcome.MESSAGE_REFUSED)));

        assertThat(result).isEqualTo(PublishResult.accepted(1));
    }

    private static BatchResult stopped(int stop, Outcome outcome) {
        return new BatchResult(stop, new PublishResult(0, outcome, new IllegalStateException(outcome.name())));
    }
}
