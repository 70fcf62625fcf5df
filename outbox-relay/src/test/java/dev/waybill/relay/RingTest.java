package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import java.sql.Connection;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class RingTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;
    private Ring ring;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        ring = Ring.ofMessages(outbox.dsl, outbox.schema);
    }

    @Test
    void a_published_partition_is_emptied_once_the_ring_has_moved_on() {
        var relay = outbox.relay(broker).started();
        outbox.append("s", "m1");
        relay.run();
        assertThat(ring.turn()).isEmpty();
        outbox.enterNextPartition();
        outbox.append("s", "m2");
        relay.run();

        assertThat(ring.turn()).containsExactly(0);

        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(1);
    }

    @Test
    void the_partition_that_writers_enter_next_is_left_alone() {
        var relay = outbox.relay(broker).started();
        outbox.append("s", "m1");
        relay.run();
        for (int i = 0; i < 7; i++) {
            outbox.enterNextPartition();
        }
        outbox.append("s", "m2");
        relay.run();

        assertThat(ring.turn()).isEmpty();
    }

    @Test
    void the_sequence_is_not_reset() {
        var relay = outbox.relay(broker).started();
        outbox.append("s", "m1");
        relay.run();
        outbox.enterNextPartition();
        outbox.append("s", "m2");
        relay.run();
        ring.turn();
        outbox.append("s", "m3");
        relay.run();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void a_row_that_is_not_published_keeps_its_partition() {
        outbox.append("s", "m1");
        outbox.enterNextPartition();
        outbox.append("other session", "m2");

        assertThat(ring.turn()).isEmpty();
        outbox.relay(broker).started().run();
        assertThat(ring.turn()).containsExactly(0);
    }

    @Test
    void a_row_for_a_destination_that_no_relay_serves_keeps_its_partition() {
        outbox.execute(
                "insert into $schema.outbox_message (destination, message_id, payload) values ('none', 'm', '')");
        outbox.enterNextPartition();
        outbox.append("s", "m1");
        outbox.relay(broker).started().run();

        assertThat(ring.turn()).isEmpty();
    }

    @Test
    void a_writer_that_is_still_open_keeps_its_partition_and_then_its_row_is_published() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var relay = outbox.relay(broker).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.enterNextPartition();
        outbox.append(sessions.get(1), "fast");
        relay.run();
        assertThat(ring.turn()).as("the writer holds the partition").isEmpty();

        outbox.commit(slow);
        assertThat(ring.turn())
                .as("the cursor has passed the row without seeing it")
                .isEmpty();
        relay.run();

        assertThat(ring.turn()).containsExactly(0);
        assertThat(broker.arrived()).containsExactly("fast", "slow");
    }

    @Test
    void a_writer_that_commits_between_the_look_and_the_lock_keeps_its_partition() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var relay = outbox.relay(broker).started();
        outbox.append(sessions.get(1), "first");
        relay.run();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.enterNextPartition();
        outbox.append(sessions.get(1), "fast");
        relay.run();
        var beforeTheLock = outbox.before("lock table", () -> outbox.commit(slow));

        assertThat(Ring.ofMessages(beforeTheLock, outbox.schema).turn()).isEmpty();

        relay.run();
        assertThat(broker.arrived()).containsExactly("first", "fast", "slow");
    }

    @Test
    void a_report_that_has_read_the_table_delays_the_ring_and_nothing_else() throws Exception {
        var relay = outbox.relay(broker).started();
        outbox.append("s", "m1");
        relay.run();
        outbox.enterNextPartition();
        try (Connection report = outbox.open()) {
            DSL.using(report).fetch("select count(*) from " + outbox.schema.table("outbox_message"));
            outbox.append("s", "m2");
            relay.run();
            assertThat(ring.turn()).isEmpty();
            outbox.append("s", "m3");
            assertThat(relay.run().published()).isEqualTo(1);
            report.rollback();
        }
        assertThat(ring.turn()).containsExactly(0);
    }

    @Test
    void an_old_snapshot_that_has_not_read_the_table_delays_nothing() throws Exception {
        var relay = outbox.relay(broker).started();
        try (Connection old = outbox.open()) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            DSL.using(old).execute("select pg_current_xact_id()");
            outbox.append("s", "m1");
            relay.run();
            outbox.enterNextPartition();
            outbox.append("s", "m2");
            relay.run();

            assertThat(ring.turn()).containsExactly(0);
            old.rollback();
        }
    }

    @Test
    void progress_is_carried_on_before_its_partition_is_emptied() {
        var progress = Ring.ofProgress(outbox.dsl, outbox.schema);
        outbox.append("s", "m1");
        outbox.relay(broker).started().run();
        for (int i = 0; i < 2; i++) {
            outbox.execute("select setval('$schema.outbox_progress_seq', ((last_value >> 13) + 1) << 13)"
                    + " from $schema.outbox_progress_seq");
        }

        assertThat(progress.turn()).containsExactly(0);
        outbox.expireLeases();
        outbox.append("s", "m2");
        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("m1", "m2");
        assertThat(outbox.rowsIn("outbox_progress_0")).isZero();
    }

    @Test
    void the_relays_role_may_turn_the_ring() throws Exception {
        outbox.append("s", "m1");
        outbox.relay(broker).started().run();
        outbox.enterNextPartition();
        outbox.append("s", "m2");
        outbox.relay(broker).run();
        try (var role = new TemporaryRole(database, outbox.schema, Role.RELAY)) {
            assertThat(Ring.ofMessages(role.dsl(), outbox.schema).turn()).containsExactly(0);
            assertThat(Ring.ofProgress(role.dsl(), outbox.schema).turn()).isEmpty();
        }
    }
}
