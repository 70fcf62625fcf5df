package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sequence was moved on by much, as by a setval to a round number. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class LargeGapTest {
    private static final long FAR = 1_000_000_000_000L;

    private final RecordingPublisher broker = new RecordingPublisher();
    private final AtomicInteger pages = new AtomicInteger();
    private OutboxFixture outbox;
    private RelayUnderTest relay;

    @BeforeEach
    void publish_something(TestDatabase database) {
        outbox = new OutboxFixture(database);
        relay = outbox.relay(broker, 100, Pages::new).started();
        for (int i = 0; i < 64; i++) {
            outbox.append("s" + i, "m" + i);
        }
        relay.run();
        pages.set(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {10_000_000, FAR})
    void what_comes_behind_a_large_gap_is_sent_after_a_few_reads(long gap) {
        moveTo(gap);
        outbox.append("s", "behind");

        relay.run();

        assertThat(broker.arrived()).endsWith("behind");
        assertThat(pages.get()).isLessThan(30);
    }

    @Test
    void nothing_amid_several_gaps_is_passed_over() {
        for (int i = 1; i <= 5; i++) {
            moveTo(i * FAR);
            outbox.append("s", "amid" + i);
            outbox.append("t" + i, "other" + i);
        }
        moveTo(6 * FAR);

        relay.run();

        assertThat(broker.arrived())
                .containsSubsequence("amid1", "amid2", "amid3", "amid4", "amid5")
                .contains("other1", "other2", "other3", "other4", "other5")
                .doesNotHaveDuplicates();
        assertThat(pages.get()).isLessThan(100);
    }

    @Test
    void what_commits_amid_a_gap_that_lanes_have_gone_over_is_sent() throws Exception {
        moveTo(FAR);
        try (Connection open = outbox.open()) {
            outbox.append(open, "s", "late");
            moveTo(2 * FAR);
            outbox.append("t", "behind");
            relay.run();
            assertThat(broker.arrived()).endsWith("behind");

            open.commit();
        }
        outbox.append("s", "later");
        relay.run();

        assertThat(broker.arrived()).endsWith("late", "later").doesNotHaveDuplicates();
    }

    @Test
    void what_commits_between_a_page_and_the_question_about_empty_blocks_is_sent() throws Exception {
        outbox.closeRelays();
        moveTo(FAR);
        try (Connection open = outbox.open()) {
            outbox.append(open, "s", "amid");
            moveTo(2 * FAR);
            outbox.append("t", "behind");
            outbox.expireLeases();
            relay = outbox.relay(broker, outbox.before("select l.lane::int - 1 as lane, (", open::commit))
                    .started();

            relay.run();
        }

        assertThat(broker.arrived()).contains("amid", "behind").doesNotHaveDuplicates();
    }

    private void moveTo(long value) {
        outbox.execute("select setval('$schema.outbox_message_seq', " + value + ")");
    }

    /** Counts pages. */
    private final class Pages extends PlantedReaders.Wrapped {
        Pages(OutboxReader right) {
            super(right);
        }

        @Override
        public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
            pages.incrementAndGet();
            return super.read(cursors, limit);
        }
    }
}
