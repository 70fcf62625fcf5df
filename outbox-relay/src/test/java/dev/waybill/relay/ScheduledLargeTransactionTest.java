package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cost of one large transaction that schedules, for the looks for what is due. */
@ExtendWith(PostgresExtension.class)
class ScheduledLargeTransactionTest {
    private static final int ROWS = 5_000;
    private static final List<String> DESTINATIONS =
            IntStream.range(0, 10).mapToObj(i -> "d" + i).toList();

    private OutboxFixture outbox;
    private Connection connection;
    private DSLContext relays;
    private Scheduling scheduling;

    @BeforeEach
    void move_something(TestDatabase database) throws SQLException {
        outbox = new OutboxFixture(database);
        connection = database.dataSource().getConnection();
        relays = DSL.using(connection, SQLDialect.POSTGRES);
        scheduling = new Scheduling(
                new ScheduledTable(relays, outbox.schema, 500),
                DESTINATIONS,
                destination -> {},
                new SplittableRandom(1));
        schedule(outbox.dsl, "d0", 1, "'2020-01-01'");
        schedule(outbox.dsl, "d0", ROWS, "'2099-01-01'");
        outbox.execute("analyze $schema.outbox_scheduled");
        scheduling.step();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void rows_of_an_open_transaction_that_began_after_the_last_look_are_not_read() throws SQLException {
        try (Connection large = outbox.open()) {
            schedule(DSL.using(large, SQLDialect.POSTGRES), "other", ROWS, "'2100-01-01'");
            // Later transactions that have ended, so that the open one lies between.
            schedule(outbox.dsl, "d1", 1, "'2020-01-01'");

            assertThat(readBy(scheduling::step)).isLessThan(ROWS);

            large.rollback();
        }
        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(2);
    }

    @Test
    void rows_of_an_open_transaction_that_an_earlier_look_has_listed_are_not_read() throws SQLException {
        try (Connection large = outbox.open()) {
            schedule(DSL.using(large, SQLDialect.POSTGRES), "other", ROWS, "'2100-01-01'");
            schedule(outbox.dsl, "d1", 1, "'2020-01-01'");
            scheduling.step();
            schedule(outbox.dsl, "d2", 1, "clock_timestamp()");

            assertThat(readBy(scheduling::step)).isLessThan(ROWS);

            large.rollback();
        }
        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(3);
    }

    @Test
    void rows_of_a_transaction_that_has_ended_are_read_once_for_all_destinations() throws SQLException {
        try (Connection large = outbox.open()) {
            schedule(DSL.using(large, SQLDialect.POSTGRES), "other", ROWS, "'2100-01-01'");
            schedule(outbox.dsl, "d1", 1, "'2020-01-01'");
            scheduling.step();
            outbox.commit(large);
        }

        assertThat(readBy(scheduling::step)).isLessThan(2 * ROWS);
    }

    @Test
    void each_of_several_open_transactions_is_found_once_it_has_ended() throws SQLException {
        try (Connection first = outbox.open();
                Connection second = outbox.open();
                Connection third = outbox.open()) {
            schedule(DSL.using(first, SQLDialect.POSTGRES), "d1", 1, "'2019-01-01'");
            schedule(DSL.using(second, SQLDialect.POSTGRES), "d2", 1, "'2019-01-01'");
            assertMoved(1);
            schedule(DSL.using(third, SQLDialect.POSTGRES), "d3", 1, "'2019-01-01'");
            outbox.commit(second);
            assertMoved(2);
            schedule(outbox.dsl, "d1", 1, "'2018-01-01'");
            assertMoved(3);
            outbox.commit(third);
            assertMoved(4);
            outbox.commit(first);
            assertMoved(5);
        }
    }

    private void assertMoved(int rows) {
        scheduling.step();
        assertThat(outbox.rowsIn("outbox_message")).isEqualTo(rows);
    }

    private void schedule(DSLContext dsl, String destination, int count, String due) {
        dsl.execute("insert into " + outbox.schema.table("outbox_scheduled")
                + " (destination, message_id, payload, due_at) select '" + destination
                + "', gen_random_uuid()::text, 'x', " + due + " from generate_series(1, " + count + ")");
    }

    // By the relay's own server process, hence also what is not visible.
    private long readBy(Runnable step) throws SQLException {
        assumeTrue(connection.getMetaData().getDatabaseMajorVersion() >= 15, "PostgreSQL 14 tells later what was read");
        long before = read();
        step.run();
        return read() - before;
    }

    private long read() {
        relays.execute("select pg_stat_force_next_flush()");
        relays.execute("select 1");
        return relays.fetchSingle(
                        "select coalesce(sum(idx_tup_read), 0)::bigint from pg_stat_user_indexes where schemaname = {0}"
                                + " and relname = 'outbox_scheduled'",
                        DSL.val(outbox.schema.value()))
                .get(0, Long.class);
    }
}
