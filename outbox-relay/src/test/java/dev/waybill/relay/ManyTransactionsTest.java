package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The cost of lanes that have seen many transactions running. The present snapshot is as long as the list of those that run,
 * and a call makes a copy of it. So a function takes the place of that which gives it, and counts how often it is asked.
 */
@ExtendWith(PostgresExtension.class)
class ManyTransactionsTest {
    private static final int RUNNING = 200;
    private static final int FEW = 4;
    private static final PageLimit LIMIT = new PageLimit(100, 1 << 20, false);

    private OutboxFixture outbox;
    private Connection session;
    private DSLContext alone;

    @BeforeEach
    void count_who_asks_for_the_snapshot(TestDatabase database) throws SQLException {
        outbox = new OutboxFixture(database);
        outbox.execute("create sequence $schema.asked");
        outbox.execute("""
                create function $schema.pg_current_snapshot() returns pg_snapshot language plpgsql stable as $$
                begin
                    perform nextval('$schema.asked');
                    return pg_catalog.pg_current_snapshot();
                end $$
                """);
        session = database.dataSource().getConnection();
        alone = DSL.using(session, SQLDialect.POSTGRES);
        alone.execute("set search_path = " + outbox.schema + ", pg_catalog");
    }

    @AfterEach
    void give_the_session_back() throws SQLException {
        alone.execute("reset all");
        session.close();
    }

    @Test
    void a_look_at_the_head_asks_for_the_snapshot_once_not_for_each_transaction_that_was_running() {
        assertThat(asked(
                        reader -> assertThat(reader.readHead(cursors(0), LIMIT)).isNotNull()))
                .isBetween(1L, (long) FEW);
    }

    @Test
    void a_page_asks_for_the_snapshot_once_not_for_each_lane_and_transaction_that_was_running() {
        assertThat(asked(reader -> reader.read(cursors(1), LIMIT))).isBetween(1L, (long) FEW);
    }

    @Test
    void what_waits_is_asked_with_one_snapshot_not_with_one_for_each_lane_and_transaction_that_was_running() {
        outbox.append("s", "m1");
        outbox.execute("insert into $schema.outbox_lane (destination, bucket, epoch)"
                + " select 'orders', b, 1 from generate_series(0, 31) b");
        cursors(1)
                .forEach((lane, cursor) -> outbox.execute("insert into $schema.outbox_progress"
                        + " (destination, bucket, epoch, position, snapshot, next_xid) values ('orders', "
                        + lane.bucket()
                        + ", 1, " + cursor.position() + ", '" + cursor.snapshot() + "', '" + cursor.nextXid() + "')"));
        String backlog = outbox.dsl
                .fetchSingle("select pg_get_viewdef({0}::regclass)", DSL.val(outbox.schema.table("outbox_backlog")))
                .get(0, String.class);
        long before = asked();

        alone.resultQuery(backlog.replace(";", "")).fetch();

        assertThat(asked() - before).isBetween(1L, (long) FEW);
    }

    private long asked(Look look) {
        try (LoopConnection connection = OutboxFixture.connections(alone).open()) {
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            long before = asked();
            look.with(reader);
            return asked() - before;
        }
    }

    private long asked() {
        return outbox.dsl
                .fetchSingle("select case when is_called then last_value else 0 end from " + outbox.schema + ".asked")
                .get(0, Long.class);
    }

    /**
     * Of lanes that have seen transactions running which have ended since.
     *
     * @param apart by how many transactions their snapshots differ
     */
    private Map<Lane, Cursor> cursors(int apart) {
        for (int ended = 0; ended <= RUNNING; ended++) {
            outbox.execute("select pg_current_xact_id()");
        }
        long next = outbox.dsl
                .fetchSingle("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
                .get(0, Long.class);
        var cursors = new HashMap<Lane, Cursor>();
        for (int bucket = 0; bucket < 32; bucket++) {
            long first = next - RUNNING + (long) bucket * apart;
            String running = IntStream.range(0, (int) (next - first))
                    .mapToObj(ahead -> Long.toString(first + ahead))
                    .collect(Collectors.joining(","));
            cursors.put(
                    new Lane(OutboxFixture.DESTINATION, (short) bucket),
                    new Cursor(0, first + ":" + next + ":" + running, next));
        }
        return cursors;
    }

    /** Something that a relay asks. */
    @FunctionalInterface
    private interface Look {
        void with(OutboxReader reader);
    }
}
