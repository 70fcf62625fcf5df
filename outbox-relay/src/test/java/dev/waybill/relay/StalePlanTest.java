package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.api.Tag;
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
    void create_the_tables(TestDatabase database) throws SQLException {
        assumeTrue(OutboxFixture.majorVersion(database) >= 15, "PostgreSQL 14 tells later what was read");
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
    @Tag("long")
    void a_backlog_that_reaches_into_a_partition_that_was_empty_does_not_read_it_whole_for_each_page()
            throws SQLException {
        long read = rowsReadBeforeTheBorder(new ReadSql(outbox.schema));

        assertThat(read).isLessThan(ROWS);
    }

    @Test
    @Tag("long")
    void planted_bug_running_and_later_transactions_are_sought_by_one_condition() throws SQLException {
        long read = rowsReadBeforeTheBorder(new ReadSql(outbox.schema) {
            @Override
            String page(Collection<Cursor> cursors, Fit fit) {
                return super.page(cursors, fit)
                        .replace(
                                "p.xid >= t.first and p.xid < t.behind",
                                "(p.xid = any(array(select pg_snapshot_xip(g.snapshot) from seen g))"
                                        + " or p.xid >= t.first and p.xid < t.behind)");
            }
        });

        // By one page, twice: later pages have no transaction to seek.
        assertThat(read).isGreaterThan(2L * ROWS);
    }

    @Test
    @Tag("long")
    void values_that_were_drawn_for_nothing_do_not_make_a_partition_look_full() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = startedOnEmptyPartitions(alone, new ReadSql(outbox.schema));
            outbox.execute("select count(nextval('$schema.outbox_message_seq')) from generate_series(1, 5000)");
            append(1, 300);
            drain(relay, 300);
            append(301, 600);
            drain(relay, 600);
            append(601, ROWS);
            long before = read(alone);
            drain(relay, ROWS);

            assertThat(read(alone) - before).isLessThan(6L * ROWS);
        }
    }

    @Test
    @Tag("long")
    void pages_of_a_partition_that_was_analysed_when_it_was_small_do_not_read_it_whole() throws SQLException {
        assertThat(rowsReadOnceGrown(new ReadSql(outbox.schema))).isLessThan(ROWS);
    }

    @Test
    @Tag("long")
    void planted_bug_one_statement_for_a_partition_however_full_it_is() throws SQLException {
        long read = rowsReadOnceGrown(new ReadSql(outbox.schema) {
            @Override
            String page(Collection<Cursor> cursors, Fit fit) {
                String statement = super.page(cursors, fit);
                return statement.substring(0, statement.lastIndexOf("--"));
            }
        });

        assertThat(read).isGreaterThan(10L * ROWS);
    }

    @Test
    @Tag("long")
    void a_look_at_the_head_does_not_read_a_partition_whole_that_was_empty_when_it_was_planned() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = startedOnEmptyPartitions(alone, new ReadSql(outbox.schema));

            assertThat(rowsReadByLooks(alone, relay)).isLessThan(ROWS);
        }
    }

    @Test
    @Tag("long")
    void a_look_at_the_head_does_not_read_a_partition_whole_that_was_small_when_it_was_analysed() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = startedOnSmallPartition(alone, new ReadSql(outbox.schema));

            assertThat(rowsReadByLooks(alone, relay)).isLessThan(ROWS);
        }
    }

    @Test
    @Tag("long")
    void a_look_at_the_head_beside_a_long_transaction_does_not_read_the_partition_whole() throws SQLException {
        try (Connection old = outbox.open();
                Connection connection = database.dataSource().getConnection()) {
            DSL.using(old).fetch("select pg_current_xact_id()");
            for (int n = 0; n < 1_200; n++) {
                outbox.dsl.fetch("select pg_current_xact_id()");
            }
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = startedOnEmptyPartitions(alone, new ReadSql(outbox.schema));

            assertThat(rowsReadByLooks(alone, relay)).isLessThan(ROWS);
            old.rollback();
        }
    }

    @Test
    @Tag("long")
    void messages_that_are_held_are_not_sought_in_a_whole_partition_that_was_small_when_it_was_planned()
            throws SQLException {
        broker.behave(shipment -> PublishResult.refused(0, new IllegalArgumentException("not here")));
        int messages = 2_000;
        try (Connection connection = database.dataSource().getConnection()) {
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            append(1, 10);
            outbox.execute("analyze $schema.outbox_message");
            RelayUnderTest relay = startedOnEmptyPartitions(alone, new ReadSql(outbox.schema));
            for (int n = 11; n < 30; n++) {
                append(n, n);
                relay.run();
            }
            append(30, messages);
            long before = read(alone);
            relay.run();

            assertThat(outbox.rowsIn("outbox_held_message")).isEqualTo(messages);
            assertThat(read(alone) - before).isLessThan(100L * messages);
        }
    }

    /** Those that looks at a full partition read, which were made at a nearly empty one before. */
    private long rowsReadByLooks(DSLContext alone, RelayUnderTest relay) {
        int arrived = appendOneByOne(relay, 30);
        append(arrived + 1, ROWS);
        drain(relay, ROWS);
        long before = read(alone);
        appendOneByOne(relay, 20);
        return read(alone) - before;
    }

    private int appendOneByOne(RelayUnderTest relay, int messages) {
        int arrived = broker.arrived().size();
        for (int n = 0; n < messages; n++) {
            arrived++;
            append(arrived, arrived);
            drain(relay, arrived);
        }
        return arrived;
    }

    private long rowsReadBeforeTheBorder(ReadSql sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            outbox.execute("select setval('$schema.outbox_message_seq', " + ((1 << RingLayout.SHIFT) - 25_000) + ")");
            RelayUnderTest relay = startedOnEmptyPartitions(alone, sql);
            for (int n = 0; n < 5_000; n += 500) {
                append(n + 1, n + 500);
                drain(relay, n + 500);
            }
            append(5_001, 25_000 + ROWS);
            long before = read(alone);
            drain(relay, 24_000);
            return read(alone) - before;
        }
    }

    private long rowsReadOnceGrown(ReadSql sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            var alone = DSL.using(connection, SQLDialect.POSTGRES);
            RelayUnderTest relay = startedOnSmallPartition(alone, sql);
            append(61, 10_000);
            drain(relay, 10_000);
            long before = read(alone);
            append(10_001, ROWS);
            drain(relay, ROWS);
            return read(alone) - before;
        }
    }

    private RelayUnderTest startedOnSmallPartition(DSLContext alone, ReadSql sql) {
        append(1, 60);
        outbox.execute("analyze $schema.outbox_message");
        RelayUnderTest relay = startedOnEmptyPartitions(alone, sql);
        drain(relay, 60);
        return relay;
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
        var source = new Source(
                outbox.schema, UUID.randomUUID(), 100, sql, OutboxFixture.comparison(), UnaryOperator.identity());
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
