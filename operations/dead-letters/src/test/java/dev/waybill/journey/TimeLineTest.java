package dev.waybill.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Place;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.journey.JourneyEntry.Time;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TimeLineTest {
    private final TimeLine line = new TimeLine();

    @Test
    void a_delivery_that_was_given_back_stands_before_the_next_one_although_it_was_told_later() {
        add(1, Step.PUBLISHED, 0);
        add(2, Step.FAILED, 1);
        add(3, Step.FAILED, 2);
        add(4, Step.ABANDONED, 1);
        add(5, Step.DEAD_LETTERED, 2);

        assertThat(line.entries())
                .extracting(JourneyEntry::step)
                .containsExactly(Step.PUBLISHED, Step.FAILED, Step.ABANDONED, Step.FAILED, Step.DEAD_LETTERED);
    }

    @Test
    void a_copy_that_was_sent_later_counts_its_deliveries_anew() {
        add(1, Step.PUBLISHED, 0);
        add(2, Step.FAILED, 2);
        add(3, Step.PUBLISHED, 0);
        add(4, Step.FAILED, 1);
        add(5, Step.ABANDONED, 1);

        assertThat(line.entries())
                .extracting(JourneyEntry::step)
                .containsExactly(Step.PUBLISHED, Step.FAILED, Step.PUBLISHED, Step.FAILED, Step.ABANDONED);
    }

    @Test
    void a_message_is_published_before_it_is_handled_although_the_relay_wrote_so_later() {
        add(1, Step.APPENDED, 0);
        add(2, Step.FAILED, 1);
        add(3, Step.FAILED, 2);
        add(4, Step.ABANDONED, 1);
        add(5, Step.PUBLISHED, 0);
        add(6, Step.APPENDED, 0);
        add(7, Step.HANDLED, 1);
        add(8, Step.PUBLISHED, 0);

        for (int i = 0; i < 2; i++) {
            assertThat(line.entries())
                    .extracting(JourneyEntry::step)
                    .containsExactly(
                            Step.APPENDED,
                            Step.PUBLISHED,
                            Step.FAILED,
                            Step.ABANDONED,
                            Step.FAILED,
                            Step.APPENDED,
                            Step.PUBLISHED,
                            Step.HANDLED);
        }
    }

    @Test
    void a_copy_that_arrived_on_the_broker_with_its_publish_is_not_shown_after_its_handling() {
        add(1, Step.APPENDED, 0);
        add(2, Step.HANDLED, 1);
        add(3, Step.PUBLISHED, 0);
        add(3, Step.ENQUEUED, 0);
        add(4, Step.DUPLICATE, 2);

        assertThat(line.entries())
                .extracting(JourneyEntry::step)
                .containsExactly(Step.APPENDED, Step.PUBLISHED, Step.ENQUEUED, Step.HANDLED, Step.DUPLICATE);
    }

    @Test
    @Timeout(20)
    void a_hundred_thousand_deliveries_that_were_given_back_are_put_in_order() {
        add(0, Step.PUBLISHED, 0);
        for (int i = 1; i <= 50_000; i++) {
            add(2L * i, Step.FAILED, i);
            add(2L * i + 3, Step.ABANDONED, i);
        }

        List<JourneyEntry> entries = line.entries();

        assertThat(entries.get(1).step()).isEqualTo(Step.FAILED);
        assertThat(entries.get(2).step()).isEqualTo(Step.ABANDONED);
        assertThat(entries.get(99_999).step()).isEqualTo(Step.FAILED);
    }

    private void add(long second, Step step, long deliveries) {
        line.add(new JourneyEntry(
                step,
                Confidence.KNOWN,
                Time.of(Instant.ofEpochSecond(second)),
                new Place("ledger", "m1", null),
                Map.of("deliveries", Long.toString(deliveries)),
                List.of()));
    }
}
