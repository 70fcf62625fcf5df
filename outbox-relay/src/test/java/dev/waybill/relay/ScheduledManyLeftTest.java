package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.lang.reflect.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Very many due messages were left, as beside a transaction that cancels them all. A step still costs about a batch. */
@ExtendWith(PostgresExtension.class)
class ScheduledManyLeftTest {
    private static final int ROWS = 1_000;
    private static final int BATCH = 50;

    /** One of the sessions that are free, and one of the session that was waited for. */
    private static final int ABOUT_A_BATCH = 3 * BATCH;

    private OutboxFixture outbox;
    private Connection connection;
    private DSLContext relays;
    private Scheduling scheduling;
    private int largest;

    @BeforeEach
    void create_the_tables(TestDatabase database) throws SQLException {
        outbox = new OutboxFixture(database);
        connection = database.dataSource().getConnection();
        relays = DSL.using(connection, SQLDialect.POSTGRES);
        var watched = DSL.using(relays.configuration().deriveAppending(ExecuteListener.onExecuteStart(this::note)));
        scheduling = new Scheduling(
                new ScheduledTable(watched, outbox.schema, BATCH),
                List.of("orders"),
                destination -> {},
                new SplittableRandom(1),
                new TestClock());
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "'s' || n", "'s' || n % 50", "'s'"})
    void each_step_that_moves_what_was_left_costs_about_a_batch(String session) throws SQLException {
        assumeTrue(connection.getMetaData().getDatabaseMajorVersion() >= 15, "PostgreSQL 14 tells later what was read");
        outbox.execute("insert into $schema.outbox_scheduled (destination, session_id, message_id, payload, due_at)"
                + " select 'orders', " + session + ", 'm' || n, 'x', timestamptz '2020-01-01' + n * interval '1 ms'"
                + " from generate_series(1, " + ROWS + ") n");
        try (Connection cancel = outbox.open()) {
            cancel.createStatement().execute("delete from " + outbox.schema.table("outbox_scheduled"));
            for (int i = 0; i < ROWS / BATCH; i++) {
                scheduling.step();
            }
            cancel.rollback();
        }

        for (long left = ROWS; left > 0; left = outbox.rowsIn("outbox_scheduled")) {
            long before = read();
            scheduling.step();
            assertThat(read() - before).as("with %d left", left).isLessThan(ABOUT_A_BATCH);
            assertThat(outbox.rowsIn("outbox_scheduled")).isLessThan(left);
        }

        assertThat(largest).as("things that one statement is told").isLessThanOrEqualTo(BATCH);
    }

    private void note(ExecuteContext context) {
        var query = context.query();
        if (query != null) {
            query.getBindValues().stream()
                    .filter(value -> value != null && value.getClass().isArray())
                    .forEach(array -> largest = Math.max(largest, Array.getLength(array)));
        }
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
