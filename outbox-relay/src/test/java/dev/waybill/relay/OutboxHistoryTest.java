package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class OutboxHistoryTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private OutboxHistory history;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        history = OutboxHistory.of(database.dataSource(), outbox.schema);
    }

    @Test
    void an_untouched_history_is_fine_before_and_after_the_first_message() {
        history.check();
        publishThree();
        history.check();
    }

    @Test
    void a_restarted_sequence_stops_the_relay_which_says_why() {
        publishThree();
        outbox.execute("alter sequence $schema.outbox_message_seq restart");

        assertThatThrownBy(outbox.relay(broker)::started)
                .isInstanceOf(HistoryChangedException.class)
                .hasMessageContaining("up to 3")
                .hasMessageContaining("rebase");
    }

    @Test
    void a_rebase_after_a_restarted_sequence_publishes_what_was_written_since() {
        publishThree();
        outbox.execute("alter sequence $schema.outbox_message_seq restart");
        outbox.append("s", "m4");
        outbox.expireLeases();

        assertThat(history.rebase()).isPositive();
        history.check();
        outbox.append("s", "m5");
        drain();

        assertThat(broker.arrived()).startsWith("m1", "m2", "m3").contains("m4").endsWith("m5");
    }

    @Test
    void rows_restored_into_a_fresh_cluster_stop_the_relay_and_a_rebase_publishes_what_is_missing() {
        publishThree();
        outbox.append("s", "m4");
        asIfTheClusterWereNew();
        outbox.expireLeases();

        assertThatThrownBy(history::check)
                .isInstanceOf(HistoryChangedException.class)
                .hasMessageContaining("transaction id");
        history.rebase();
        history.check();
        drain();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void the_ring_turns_again_after_a_rebase() {
        publishThree();
        asIfTheClusterWereNew();
        outbox.expireLeases();
        history.rebase();
        outbox.enterNextPartition();
        outbox.append("s", "m4");
        drain();

        assertThat(Ring.ofMessages(outbox.dsl, outbox.schema).turn()).containsExactly(0);
    }

    @Test
    void a_rebase_beside_a_running_relay_is_refused() {
        outbox.relay(broker).started();

        assertThatThrownBy(history::rebase).hasMessageContaining("stop all relays");
    }

    @Test
    void a_relay_from_before_the_rebase_cannot_settle_any_more() {
        publishThree();
        var zombie = outbox.relay(broker).started();
        zombie.run();
        outbox.expireLeases();
        history.rebase();
        outbox.append("s", "m4");

        zombie.run();

        assertThat(zombie.run().published()).isZero();
        assertThat(outbox.rowsIn("outbox_cursor where position = 4")).isZero();
    }

    private void publishThree() {
        outbox.append("s", "m1", "m2", "m3");
        drain();
        outbox.expireLeases();
    }

    private void drain() {
        outbox.expireLeases();
        var relay = outbox.relay(broker).started();
        while (relay.run().published() > 0) {}
    }

    // Leaves the ids of the old cluster, far ahead of the new one's, as a dump from a cluster with a long history does.
    private void asIfTheClusterWereNew() {
        outbox.execute("update $schema.outbox_message set xid = (xid::text::bigint + 1000000)::text::xid8");
        outbox.execute("update $schema.outbox_progress set next_xid = (next_xid::text::bigint + 1000000)::text::xid8,"
                + " snapshot = (pg_snapshot_xmax(snapshot)::text::bigint + 1000000 || ':'"
                + " || pg_snapshot_xmax(snapshot)::text::bigint + 1000000 || ':')::pg_snapshot");
    }
}
