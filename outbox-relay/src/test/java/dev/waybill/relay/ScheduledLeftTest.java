package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A session was left, because somebody held on to its first message: what comes to it then is moved, and in order. */
@ExtendWith(PostgresExtension.class)
class ScheduledLeftTest {
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_late_message_that_comes_with_many_others_to_a_session_that_was_left_is_moved_first() throws SQLException {
        var scheduling = scheduling(outbox.dsl);
        schedule("s", "second", "'2020-01-10'");
        try (Connection writer = outbox.open()) {
            outbox.append(writer, "s", "appended");
            scheduling.step();
            // In one transaction more of them than a batch, the one of the session behind a batch of others.
            outbox.execute("insert into $schema.outbox_scheduled (destination, session_id, message_id, payload, due_at)"
                    + " select 'orders', case n when 15 then 's' else 'other' end,"
                    + " case n when 15 then 'first' else 'other' || n end, 'x', timestamptz '2020-01-01' + n * interval '1 h'"
                    + " from generate_series(1, 20) n");
            scheduling.step();
            outbox.commit(writer);
        }

        scheduling.step();
        scheduling.step();

        assertThat(moved()).hasSize(22).containsSubsequence("appended", "first", "second");
    }

    @Test
    void a_clock_that_is_set_back_before_the_turn_of_what_was_left_loses_no_message() throws SQLException {
        var clock = new RewrittenTurn("statement_timestamp()", "(statement_timestamp() - interval '1 hour')");
        var scheduling = scheduling(WatchedConnections.of(outbox.dsl, clock));
        schedule("s", "first", "now() - interval '70 minutes'");
        schedule("s", "second", "now() - interval '30 minutes'");
        try (Connection writer = outbox.open()) {
            outbox.outbox.cancel(writer, "orders", "first");
            scheduling.step();
            outbox.commit(writer);
        }

        clock.arm();
        scheduling.step();
        assertThat(clock.hasBegun()).isTrue();
        clock.end();
        scheduling.step();

        assertThat(moved()).containsExactly("second");
    }

    @Test
    void a_server_that_replaces_the_one_that_was_looked_at_moves_a_session_that_was_left_in_order()
            throws SQLException {
        var promoted = new RewrittenTurn("concat_ws(' ',", "concat_ws(' ', 'promoted',");
        var scheduling = scheduling(WatchedConnections.of(outbox.dsl, promoted));
        schedule("s", "first", "'2020-01-01'");
        schedule("s", "second", "'2020-01-02'");
        try (Connection writer = outbox.open()) {
            outbox.outbox.cancel(writer, "orders", "second");
            scheduling.step();
            writer.rollback();
        }
        assertThat(moved()).containsExactly("first");
        // The new server has lost that the first message was moved.
        promoted.onBegin = () -> {
            outbox.execute("alter table $schema.outbox_scheduled disable trigger outbox_scheduled_written");
            outbox.execute("insert into $schema.outbox_scheduled (id, destination, session_id, message_id, payload,"
                    + " due_at, xid) overriding system value select 1, destination, session_id, message_id, payload,"
                    + " '2020-01-01', '3' from $schema.outbox_message");
            outbox.execute("delete from $schema.outbox_message");
        };

        promoted.arm();
        scheduling.step();
        assertThat(promoted.hasBegun()).isTrue();
        scheduling.step();

        assertThat(moved()).containsExactly("first", "second");
    }

    private Scheduling scheduling(DSLContext dsl) {
        return new Scheduling(
                new ScheduledTable(dsl, outbox.schema, 10),
                List.of("orders"),
                destination -> {},
                new SplittableRandom(1));
    }

    private void schedule(String session, String id, String due) {
        outbox.execute("insert into $schema.outbox_scheduled (destination, session_id, message_id, payload, due_at)"
                + " values ('orders', '" + session + "', '" + id + "', 'x', " + due + ")");
    }

    private List<String> moved() {
        return outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_message") + " order by seq")
                .getValues(0, String.class);
    }

    /** From the turn of what was left on, each statement reads otherwise. */
    private static final class RewrittenTurn implements WatchedConnections.Watch {
        private final String part;
        private final String replacement;
        private Runnable onBegin = () -> {};
        private boolean armed;
        private boolean begun;

        RewrittenTurn(String part, String replacement) {
            this.part = part;
            this.replacement = replacement;
        }

        void arm() {
            armed = true;
        }

        boolean hasBegun() {
            return begun;
        }

        void end() {
            armed = false;
            begun = false;
        }

        @Override
        public String sent(String sql) {
            if (armed && !begun && sql.contains("as s(session_id, due, id)")) {
                begun = true;
                onBegin.run();
            }
            return begun ? sql.replace(part, replacement) : sql;
        }
    }
}
