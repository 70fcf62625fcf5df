package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Late rows as pages bring them, compared with each row judged alone: random histories, under settings that a role may have. */
@ExtendWith(PostgresExtension.class)
class LateRandomTest {
    private static final int WRITERS = 4;
    private static final int STEPS = 100;
    private static final String DESTINATION = "ördérs {}, ß";

    private final List<Connection> writers = new ArrayList<>();
    private OutboxFixture outbox;
    private Connection session;
    private Random random = new Random(1);

    @BeforeEach
    void create_the_tables(TestDatabase database) throws SQLException {
        outbox = new OutboxFixture(database);
        session = database.dataSource().getConnection();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(outbox.open());
        }
    }

    @AfterEach
    void give_connections_back() throws SQLException {
        session.createStatement().execute("reset all");
        session.close();
        for (Connection writer : writers) {
            writer.rollback();
            writer.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "set enable_nestloop = off; set enable_hashjoin = off",
                "set enable_indexscan = off; set enable_bitmapscan = off",
                "set enable_seqscan = off; set enable_material = off; set enable_memoize = off",
                "set enable_hashagg = off; set from_collapse_limit = 1; set join_collapse_limit = 1",
                "set work_mem = '64kB'; set enable_sort = off",
                "set default_transaction_isolation = 'serializable'; set bytea_output = 'escape'"
            })
    void every_late_row_comes_once_whatever_the_planner_does(String settings) throws SQLException {
        session.createStatement().execute(settings);
        var connection = OutboxFixture.connections(DSL.using(session, SQLDialect.POSTGRES))
                .open();
        var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
        for (int seed = 1; seed <= 2; seed++) {
            random = new Random(seed * 31L + settings.hashCode());
            compare(reader, settings + ", " + seed);
        }
    }

    private void compare(OutboxReader reader, String described) throws SQLException {
        Map<Lane, Cursor> cursors = history();
        var limit = new PageLimit(1 + random.nextInt(5), 100 + random.nextInt(3_000), random.nextBoolean());
        Page page = reader.read(cursors, limit);
        List<String> missed = missed(cursors, page.snapshot());
        var seen = new ArrayList<>(ids(page));
        while (page.isLateCut()) {
            writeOrEnd();
            page = reader.readMoreLate(cursors, page, limit);
            seen.addAll(ids(page));
        }
        assertThat(seen).as(described).containsExactlyInAnyOrderElementsOf(missed);
    }

    /** Lanes that were recorded at some moment while others wrote. */
    private Map<Lane, Cursor> history() throws SQLException {
        var cursors = new TreeMap<Short, Cursor>();
        cursors.put((short) random.nextInt(32), cursor());
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(3) > 0) {
                writeOrEnd();
            } else {
                cursors.putIfAbsent((short) random.nextInt(32), cursor());
            }
        }
        long drawn = drawn();
        var lanes = new LinkedHashMap<Lane, Cursor>();
        cursors.forEach((bucket, c) -> lanes.put(
                new Lane(DESTINATION, bucket), new Cursor(Math.min(c.position(), drawn), c.snapshot(), c.nextXid())));
        return lanes;
    }

    private Cursor cursor() {
        var row = outbox.dsl.fetchSingle(
                "select s::text, pg_snapshot_xmax(s)::text::bigint from pg_current_snapshot() as s");
        long xmax = row.get(1, Long.class);
        long next = random.nextBoolean() ? Cursor.UNBOUNDED : xmax + random.nextInt(10) - 1;
        return new Cursor(drawn() + random.nextInt(30), row.get(0, String.class), next);
    }

    private void writeOrEnd() throws SQLException {
        Connection writer = writers.get(random.nextInt(WRITERS));
        int choice = random.nextInt(8);
        if (choice == 0) {
            writer.rollback();
        } else if (choice <= 2) {
            writer.commit();
        } else {
            write(DSL.using(writer, SQLDialect.POSTGRES));
        }
    }

    // Now and then a value that was drawn before.
    private void write(DSLContext writer) {
        long again = random.nextInt(5) == 0 ? Math.max(1, drawn() - random.nextInt(3)) : 0;
        writer.execute(
                "insert into " + outbox.schema.table("outbox_message")
                        + " (seq, destination, session_id, message_id, payload)"
                        + " select case when {0} > 0 then {0} else nextval('" + outbox.schema.value()
                        + ".outbox_message_seq') end, {1}, 's' || ({2} + n), gen_random_uuid()::text,"
                        + " decode(repeat('ab', {3}), 'hex') from generate_series(1, {4}) n",
                DSL.val(again),
                DSL.val(random.nextInt(5) == 0 ? "other" : DESTINATION),
                DSL.val(random.nextInt(200)),
                DSL.val(random.nextInt(8) == 0 ? 5_000 : random.nextInt(50)),
                DSL.val(1 + random.nextInt(4)));
    }

    private List<String> missed(Map<Lane, Cursor> cursors, String snapshot) {
        var missed = new ArrayList<String>();
        cursors.forEach((lane, cursor) -> missed.addAll(outbox.dsl
                .fetch(
                        "select message_id from " + outbox.schema.table("outbox_row")
                                + " where destination = {0} and bucket = {1} and seq <= {2}"
                                + " and pg_visible_in_snapshot(xid, {3}::pg_snapshot)"
                                + " and not pg_visible_in_snapshot(xid, {4}::pg_snapshot)"
                                + " and (xid::text::numeric < {5} or xid < pg_snapshot_xmax({4}::pg_snapshot))",
                        DSL.val(lane.destination()),
                        DSL.val(lane.bucket()),
                        DSL.val(cursor.position()),
                        DSL.val(snapshot),
                        DSL.val(cursor.snapshot()),
                        DSL.val(cursor.nextXid()))
                .getValues(0, String.class)));
        return missed;
    }

    private static List<String> ids(Page page) {
        return page.late().values().stream()
                .flatMap(List::stream)
                .map(OutboxRow::messageId)
                .toList();
    }

    private long drawn() {
        return outbox.dsl
                .fetchSingle(
                        "select coalesce(pg_sequence_last_value({0}::regclass), 0)",
                        DSL.val(outbox.schema.table("outbox_message_seq")))
                .get(0, Long.class);
    }
}
