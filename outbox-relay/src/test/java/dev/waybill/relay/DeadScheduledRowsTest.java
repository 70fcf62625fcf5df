package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows that were moved and that no vacuum may remove, because an old snapshot could still see them. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DeadScheduledRowsTest {
    private static final int DEAD = 20_000;

    /** Far below what crossing the dead rows takes, and above what a look at a few rows can take. */
    private static final long FEW = 200;

    private OutboxFixture outbox;
    private Connection pinned;
    private Connection relays;
    private Scheduling scheduling;

    @BeforeEach
    void pin_a_snapshot(TestDatabase database) throws SQLException {
        outbox = new OutboxFixture(database);
        pinned = outbox.open();
        pinned.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        pinned.createStatement().execute("select pg_current_xact_id()");
        relays = DriverManager.getConnection(database.server().jdbcUrl());
        DSLContext own = DSL.using(relays, SQLDialect.POSTGRES);
        scheduling = new Scheduling(
                new ScheduledTable(own, outbox.schema, 500),
                List.of(OutboxFixture.DESTINATION, "other"),
                destination -> {},
                new SplittableRandom(1));
    }

    @AfterEach
    void close() throws SQLException {
        relays.close();
        pinned.rollback();
        pinned.close();
    }

    @Test
    @Tag("long")
    void rows_that_were_moved_under_an_old_snapshot_cost_no_look_anything() throws SQLException {
        schedule(DEAD, "clock_timestamp() - interval '1 day' + n * interval '1 ms'", "'s' || n % 50");
        work();
        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(DEAD);

        for (int i = 0; i < 5; i++) {
            schedule(5, "clock_timestamp()", "'s' || n");
            assertThat(blocksOfAStep()).isLessThan(FEW);
            assertThat(blocksOfAStep()).as("with nothing due").isLessThan(FEW);
        }
        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(DEAD + 25);
    }

    @Test
    @Tag("long")
    void rows_that_were_cancelled_ahead_of_their_time_cost_no_look_anything() throws SQLException {
        schedule(DEAD, "clock_timestamp() + interval '1 hour' + n * interval '1 ms'", "'s' || n % 50");
        outbox.execute("delete from $schema.outbox_scheduled");
        work();

        schedule(5, "clock_timestamp()", "'s' || n");

        assertThat(blocksOfAStep()).isLessThan(FEW);
        assertThat(blocksOfAStep()).as("with nothing due").isLessThan(FEW);
        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(5);
    }

    @Test
    @Tag("long")
    void messages_that_somebody_holds_on_to_do_not_make_the_others_dear() throws SQLException {
        schedule(1, "clock_timestamp() - interval '2 days'", "'appended to'");
        schedule(1, "clock_timestamp() - interval '2 days'", "'cancelled'");
        schedule(1, "clock_timestamp() - interval '2 days'", "null");
        try (Connection holder = outbox.open()) {
            outbox.append(holder, "appended to", "not committed");
            holder.createStatement()
                    .execute("delete from " + outbox.schema.table("outbox_scheduled")
                            + " where session_id = 'cancelled' or session_id is null");
            schedule(DEAD, "clock_timestamp() - interval '1 day' + n * interval '1 ms'", "'s' || n % 50");
            work();
            for (int i = 0; i < 3; i++) {
                schedule(5, "clock_timestamp()", "'s' || n");
                assertThat(blocksOfAStep()).isLessThan(FEW);
            }
            assertThat(outbox.rowsIn("outbox_message")).isEqualTo(DEAD + 15);
            assertThat(outbox.rowsIn("outbox_scheduled")).isEqualTo(3);
            holder.rollback();
        }
        scheduling.step();
        assertThat(outbox.rowsIn("outbox_scheduled")).isZero();
    }

    @Test
    @Tag("long")
    void many_sessions_and_messages_that_were_left_make_no_look_cross_what_was_moved() throws SQLException {
        schedule(10, "clock_timestamp() - interval '2 days'", "'s' || n");
        schedule(10, "clock_timestamp() - interval '2 days'", "null");
        try (Connection holder = outbox.open()) {
            holder.createStatement().execute("delete from " + outbox.schema.table("outbox_scheduled"));
            scheduling.step();
            schedule(DEAD, "clock_timestamp() - interval '1 day' + n * interval '1 ms'", "'t' || n % 50");
            work();
            assertThat(outbox.rowsIn("outbox_message")).isEqualTo(DEAD);

            assertThat(blocksOfAStep()).as("while they are held").isLessThan(FEW);
            holder.rollback();
        }
        assertThat(blocksOfAStep()).as("when they move").isLessThan(2 * FEW);
        assertThat(outbox.rowsIn("outbox_scheduled")).isZero();
    }

    @Test
    @Tag("long")
    void a_destination_that_fails_makes_no_look_cross_again_what_was_moved() throws SQLException {
        schedule(DEAD, "clock_timestamp() - interval '1 day' + n * interval '1 ms'", "'s' || n % 50");
        work();
        outbox.execute("alter table $schema.outbox_message add check (destination <> 'other') not valid");
        outbox.execute("insert into $schema.outbox_scheduled (due_at, destination, message_id, payload)"
                + " values ('2020-01-01', 'other', 'm', 'x')");

        scheduling.step();

        assertThat(outbox.rowsIn("outbox_scheduled")).isEqualTo(1);
        assertThat(blocksOfAStep()).isLessThan(FEW);
    }

    private void work() {
        for (int i = 0; i < 10; i++) {
            scheduling.step();
        }
        outbox.execute("analyze $schema.outbox_scheduled");
        scheduling.step();
    }

    private void schedule(int count, String due, String session) {
        outbox.execute("insert into $schema.outbox_scheduled (due_at, destination, session_id, message_id, payload)"
                + " select " + due + ", 'orders', " + session + ", gen_random_uuid()::text, 'x'"
                + " from generate_series(1, " + count + ") n");
    }

    private long blocksOfAStep() throws SQLException {
        assumeTrue(relays.getMetaData().getDatabaseMajorVersion() >= 15, "PostgreSQL 14 tells later what was read");
        try (var statement = relays.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
            scheduling.step();
            try (var row = statement.executeQuery(BLOCKS.replace("$schema", outbox.schema.value()))) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    // The blocks of index and table that this connection has touched since the flush; those of others are not counted.
    private static final String BLOCKS = """
            select sum(pg_stat_get_xact_blocks_fetched(c.oid)) from pg_class c
            where c.oid = '$schema.outbox_scheduled'::regclass
              or c.oid in (select indexrelid from pg_index where indrelid = '$schema.outbox_scheduled'::regclass)
            """;
}
