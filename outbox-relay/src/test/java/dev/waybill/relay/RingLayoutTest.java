package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A read enters one partition per lane: what that must not pass over. */
@ExtendWith(PostgresExtension.class)
class RingLayoutTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_backlog_over_several_partitions_arrives_in_order() {
        for (int i = 0; i < 5; i++) {
            outbox.append("s", "m" + i);
            outbox.enterNextPartition();
        }

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("m0", "m1", "m2", "m3", "m4");
    }

    @Test
    void rows_of_two_rounds_of_the_ring_in_one_partition_arrive_in_order() {
        outbox.append("s", "first round");
        for (int i = 0; i < RingLayout.SLOTS; i++) {
            outbox.enterNextPartition();
            outbox.append("s", "m" + i);
        }

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("first round", "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7");
    }

    @Test
    void a_lane_that_had_nothing_for_many_rounds_is_not_forgotten() {
        outbox.append("s", "m1");
        var relay = outbox.relay(broker).started();
        relay.run();
        for (int i = 0; i < 3 * RingLayout.SLOTS; i++) {
            outbox.enterNextPartition();
        }
        outbox.append("s", "m2");

        relay.run();

        assertThat(broker.arrived()).containsExactly("m1", "m2");
    }

    @Test
    void a_lane_recorded_many_rounds_ago_is_not_forgotten() {
        outbox.append("s", "m1");
        outbox.relay(broker).started().run();
        for (int i = 0; i < 3 * RingLayout.SLOTS; i++) {
            outbox.enterNextPartition();
        }
        outbox.append("s", "m2");
        outbox.expireLeases();

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("m1", "m2");
    }

    @Test
    void a_relay_that_is_new_to_an_old_outbox_finds_the_first_row_and_what_commits_before_it() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        outbox.execute("select setval('$schema.outbox_message_seq', 1000000000000)");
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.append(sessions.get(1), "fast");
        var relay = outbox.relay(broker).started();
        relay.run();
        outbox.commit(slow);

        relay.run();

        assertThat(broker.arrived()).containsExactly("fast", "slow");
    }

    @Test
    void the_very_first_row_is_not_taken_for_drawn_before_it_is() {
        var relay = outbox.relay(broker).started();
        recordAll(relay);

        outbox.append("s", "m1");
        relay.run();

        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    void a_value_drawn_before_the_read_and_committed_after_the_settle_is_late_and_not_lost() throws Exception {
        var relay = outbox.relay(broker).started();
        Connection slow = outbox.open();
        outbox.append(slow, "s", "slow");
        recordAll(relay);
        outbox.commit(slow);

        relay.run();

        assertThat(broker.arrived()).containsExactly("slow");
    }

    @Test
    void a_position_beyond_what_is_drawn_is_noticed_before_it_loses_what_is_drawn_next() {
        var relay =
                outbox.relay(broker, 100, PlantedReaders.beyondWhatIsDrawn()).started();
        outbox.append("s", "m1");
        relay.run();
        outbox.append("s", "m2");

        assertThatThrownBy(relay::run).isInstanceOf(ServerChangedException.class);

        assertThat(outbox.rowsIn("outbox_progress")).isZero();
    }

    private void recordAll(OutboxFixture.RelayUnderTest relay) {
        relay.run();
        outbox.letRecordingBeDue();
        relay.run();
        long recorded = outbox.dsl.fetchCount(DSL.table(outbox.schema.table("outbox_cursor")));
        assertThat(recorded).as("lanes recorded").isIn(0L, 32L);
    }
}
