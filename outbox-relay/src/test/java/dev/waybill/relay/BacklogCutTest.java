package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages of a large transaction to several destinations are counted while they wait, and raise the alarm. */
@ExtendWith(PostgresExtension.class)
class BacklogCutTest {
    /** More than the backlog counts of a lane. */
    private static final int MANY = 50_001;

    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void late_messages_behind_very_many_of_another_destination_are_counted_and_raise_the_alarm() throws SQLException {
        try (Connection large = outbox.open()) {
            append(large, "other", MANY);
            append(large, "orders", 10);
            recordThatAllLanesHavePassed("orders");
            outbox.commit(large);
        }

        assertThat(pending("orders")).isEqualTo(10);
        assertThat(outbox.dsl
                        .fetch("select destination from " + outbox.schema.table("relay_alarm")
                                + " where alarm = 'stalled'")
                        .getValues(0, String.class))
                .contains("orders");
    }

    @Test
    void messages_that_began_behind_a_lanes_snapshot_are_counted_behind_very_many_of_another_destination()
            throws SQLException {
        recordThatAllLanesHavePassed("orders");
        try (Connection large = outbox.open()) {
            append(large, "other", MANY);
            append(large, "orders", 10);
            outbox.commit(large);
        }
        outbox.execute(
                "update $schema.outbox_progress set position = pg_sequence_last_value('$schema.outbox_message_seq')");

        assertThat(pending("orders")).isEqualTo(10);
    }

    private long pending(String destination) {
        return outbox.dsl
                .fetchSingle(
                        "select coalesce(sum(pending), 0)::bigint from " + outbox.schema.table("outbox_backlog")
                                + " where destination = {0}",
                        DSL.val(destination))
                .get(0, Long.class);
    }

    private static String appending(String table) {
        return "insert into " + table + " (destination, session_id, message_id, payload, created_at)"
                + " select {0}, 's' || n, 'm' || n, 'x', clock_timestamp() - interval '5 minutes'"
                + " from generate_series(1, {1}) n";
    }

    private void append(Connection transaction, String destination, int messages) {
        DSL.using(transaction, SQLDialect.POSTGRES)
                .execute(
                        appending(outbox.schema.table("outbox_message")),
                        DSL.inline(destination),
                        DSL.inline(messages));
    }

    private void recordThatAllLanesHavePassed(String destination) {
        outbox.execute("insert into $schema.outbox_lane (destination, bucket, epoch) select '" + destination
                + "', b, 1 from generate_series(0, 31) b");
        outbox.execute("insert into $schema.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)"
                + " select '" + destination
                + "', b, 1, coalesce(pg_sequence_last_value('$schema.outbox_message_seq'), 0),"
                + " s, (pg_snapshot_xmax(s)::text::bigint + 100)::text::xid8"
                + " from generate_series(0, 31) b cross join pg_current_snapshot() as s");
    }
}
