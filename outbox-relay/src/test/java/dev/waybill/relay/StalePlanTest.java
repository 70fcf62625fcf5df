package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import dev.waybill.relay.RelayTables.Source;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server plans a prepared statement once: what that must not do to a partition that was empty then. */
@ExtendWith(PostgresExtension.class)
class StalePlanTest {
    /** Enough to be prepared by the driver, and to get a plan that is kept by the server. */
    private static final int TURNS_UNTIL_PLANNED = 20;

    private static final int ROWS = 40_000;

    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        // Not while somebody may tell the planner how many rows there are.
        for (int slot = 0; slot < RingLayout.SLOTS; slot++) {
            outbox.execute("alter table $schema.outbox_message_" + slot + " set (autovacuum_enabled = off)");
        }
    }

    @Test
    void a_partition_that_fills_after_its_statement_was_planned_is_not_read_whole_for_each_page() throws SQLException {
        long read = rowsReadInSequence(new ReadSql(outbox.schema));

        assertThat(broker.arrived()).hasSize(ROWS);
        assertThat(read).isLessThan(6L * ROWS);
    }

    @Test
    void planted_bug_late_rows_that_the_planner_may_join_as_it_likes() throws SQLException {
        long read = rowsReadInSequence(new ReadSql(outbox.schema) {
            @Override
            String page(Collection<Cursor> cursors) {
                return super.page(cursors).replace("offset 0", "");
            }
        });

        assertThat(read).isGreaterThan(10L * ROWS);
    }

    @Test
    void planted_bug_one_statement_for_a_partition_however_full_it_is() throws SQLException {
        long read = rowsReadInSequence(new ReadSql(outbox.schema) {
            @Override
            String page(Collection<Cursor> cursors) {
                String statement = super.page(cursors);
                return statement.substring(0, statement.lastIndexOf("--"));
            }
        });

        assertThat(read).isGreaterThan(10L * ROWS);
    }

    @Test
    void a_look_at_the_head_does_not_read_a_partition_whole_that_was_empty_when_it_was_planned() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = startedOnEmptyPartitions(alone, new ReadSql(outbox.schema));
            append(1, ROWS);
            drain(relay, ROWS);
            long before = read(alone);
            for (int n = ROWS + 1; n <= ROWS + 50; n++) {
                append(n, n);
                drain(relay, n);
            }

            assertThat(read(alone) - before).isLessThan(6L * ROWS);
        }
    }

    private long rowsReadInSequence(ReadSql sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = startedOnEmptyPartitions(alone, sql);
            append(1, ROWS);
            long before = read(alone);
            drain(relay, ROWS);
            return read(alone) - before;
        }
    }

    private RelayUnderTest startedOnEmptyPartitions(DSLContext alone, ReadSql sql) {
        var source = new Source(outbox.schema, UUID.randomUUID(), 100, sql, UnaryOperator.identity());
        RelayUnderTest relay = outbox.relay(broker, alone, source).started();
        for (int turn = 0; turn < TURNS_UNTIL_PLANNED; turn++) {
            relay.run();
        }
        return relay;
    }

    private void append(int first, int last) {
        outbox.execute("""
                insert into $schema.outbox_message (destination, session_id, message_id, payload)
                select 'orders', 's' || n %% 500, 'm' || n, 'x' from generate_series(%d, %d) n
                """.formatted(first, last));
    }

    private void drain(RelayUnderTest relay, int messages) {
        while (broker.arrived().size() < messages) {
            relay.run();
        }
    }

    private long read(DSLContext alone) {
        alone.execute("select pg_stat_force_next_flush()");
        return alone.fetchSingle("""
                        select coalesce(sum(seq_tup_read), 0)::bigint from pg_stat_all_tables
                        where schemaname = {0} and relname like 'outbox\\_message\\__'
                        """, DSL.val(database.schema())).get(0, Long.class);
    }
}
