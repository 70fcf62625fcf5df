package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Late rows of lanes that were recorded one after the other, so that each has a snapshot of its own. */
@ExtendWith(PostgresExtension.class)
class LateGroupsTest {
    private static final int LANES = 32;
    private static final int ROWS = 3_000;
    private static final PageLimit LIMIT = new PageLimit(100, 1 << 20, false);

    private TestDatabase database;
    private OutboxFixture outbox;
    private Connection session;
    private DSLContext alone;
    private LoopConnection connection;
    private OutboxReader reader;

    @BeforeEach
    void create_the_tables(TestDatabase database) throws SQLException {
        this.database = database;
        outbox = new OutboxFixture(database);
        session = database.dataSource().getConnection();
        alone = DSL.using(session, SQLDialect.POSTGRES);
        connection = OutboxFixture.connections(alone).open();
        reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
    }

    @AfterEach
    void give_the_session_back() throws SQLException {
        alone.execute("reset all");
        connection.close();
        session.close();
    }

    @Test
    void late_rows_are_not_copied_to_the_disk_for_each_snapshot_that_a_lane_has() throws SQLException {
        assumeTrue(alone.fetchSingle("show is_superuser").get(0, String.class).equals("on"), "who may limit files");
        Map<Lane, Cursor> cursors;
        try (Connection large = outbox.open()) {
            append(large, ROWS, 1_000);
            cursors = cursorsOneAfterTheOther(0);
            outbox.commit(large);
        }
        alone.execute("set temp_file_limit = '1MB'");

        assertThat(readAll(cursors)).hasSize(ROWS).doesNotHaveDuplicates();
    }

    @Test
    void rows_that_every_lane_may_have_missed_are_read_once_for_all_lanes() throws SQLException {
        assumeTrue(OutboxFixture.majorVersion(database) >= 15, "PostgreSQL 14 tells later what was read");
        Map<Lane, Cursor> cursors = cursorsOneAfterTheOther(1_000);
        try (Connection large = outbox.open()) {
            append(large, ROWS, 1);
            outbox.commit(large);
        }
        long last = last();
        cursors.replaceAll((lane, cursor) -> new Cursor(last, cursor.snapshot(), cursor.nextXid()));
        long before = read();

        Page page = reader.read(cursors, LIMIT);

        assertThat(page.late()).hasSize(LANES);
        // To find out how far they fit, and to fetch what does.
        assertThat(read() - before).isLessThanOrEqualTo(3L * ROWS);
    }

    @Test
    void a_row_that_one_lane_saw_running_and_another_not_at_all_comes_once_to_each_that_missed_it()
            throws SQLException {
        try (Connection first = outbox.open();
                Connection second = outbox.open()) {
            append(first, 200, 1);
            Cursor beforeSecond = cursor(1_000);
            append(second, 200, 1);
            Cursor besideBoth = cursor(1_000);
            outbox.commit(first);
            Cursor afterFirst = cursor(1_000);
            outbox.commit(second);
            long last = last();
            List<Cursor> kinds = List.of(beforeSecond, besideBoth, afterFirst);
            var cursors = new HashMap<Lane, Cursor>();
            IntStream.range(0, LANES)
                    .forEach(bucket -> cursors.put(
                            lane(bucket),
                            new Cursor(
                                    last,
                                    kinds.get(bucket % 3).snapshot(),
                                    kinds.get(bucket % 3).nextXid())));

            List<String> missed = rows("bucket % 3 < 2 or seq > 200");
            assertThat(readAll(cursors)).containsExactlyInAnyOrderElementsOf(missed);
        }
    }

    @Test
    void rows_of_a_transaction_that_has_begun_since_and_is_open_are_read_by_no_page() throws SQLException {
        assumeTrue(OutboxFixture.majorVersion(database) >= 15, "PostgreSQL 14 tells later what was read");
        try (Connection late = outbox.open();
                Connection large = outbox.open();
                Connection behind = outbox.open()) {
            append(late, 2 * LANES, 1);
            Map<Lane, Cursor> cursors = cursorsOneAfterTheOther(1_000);
            append(large, ROWS, 1);
            append(behind, 1, 1);
            long last = last();
            cursors.replaceAll((lane, cursor) -> new Cursor(last, cursor.snapshot(), cursor.nextXid()));
            outbox.commit(late);
            outbox.commit(behind);
            long before = read();

            assertThat(readAll(cursors, new PageLimit(1, 1 << 20, false))).hasSize(2 * LANES + 1);
            assertThat(read() - before).isLessThan(ROWS);
            large.rollback();
        }
    }

    private List<String> readAll(Map<Lane, Cursor> cursors) {
        return readAll(cursors, LIMIT);
    }

    /** All late rows, page by page. */
    private List<String> readAll(Map<Lane, Cursor> cursors, PageLimit limit) {
        var ids = new ArrayList<String>();
        Page page = reader.read(cursors, limit);
        ids.addAll(ids(page));
        while (page.isLateCut()) {
            page = reader.readMoreLate(cursors, page, limit);
            ids.addAll(ids(page));
        }
        return ids;
    }

    private static List<String> ids(Page page) {
        return page.late().values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingLong(OutboxRow::seq))
                .map(OutboxRow::messageId)
                .toList();
    }

    private List<String> rows(String condition) {
        return outbox.dsl
                .fetch("select message_id from " + outbox.schema.table("outbox_row") + " where " + condition)
                .getValues(0, String.class);
    }

    private static Lane lane(int bucket) {
        return new Lane(OutboxFixture.DESTINATION, (short) bucket);
    }

    private Map<Lane, Cursor> cursorsOneAfterTheOther(int ahead) {
        var cursors = new HashMap<Lane, Cursor>();
        for (int bucket = 0; bucket < LANES; bucket++) {
            outbox.execute("select pg_current_xact_id()");
            cursors.put(lane(bucket), cursor(ahead));
        }
        return cursors;
    }

    /** @param ahead so many transactions may have drawn a value below the position that the snapshot knows nothing of */
    private Cursor cursor(int ahead) {
        var row = outbox.dsl.fetchSingle(
                "select s::text, pg_snapshot_xmax(s)::text::bigint from pg_current_snapshot() as s");
        return new Cursor(last(), row.get(0, String.class), row.get(1, Long.class) + ahead);
    }

    private long last() {
        return outbox.dsl
                .fetchSingle(
                        "select coalesce(pg_sequence_last_value({0}::regclass), 0)",
                        DSL.val(outbox.schema.table("outbox_message_seq")))
                .get(0, Long.class);
    }

    private void append(Connection transaction, int rows, int bytes) {
        DSL.using(transaction, SQLDialect.POSTGRES)
                .execute("insert into " + outbox.schema.table("outbox_message")
                        + " (destination, session_id, message_id, payload)"
                        + " select 'orders', 's' || n, pg_current_xact_id() || '-' || n, decode(repeat('ab', " + bytes
                        + "), 'hex') from generate_series(1, " + rows + ") n");
    }

    // Of the whole server process, hence also what is not visible.
    private long read() {
        alone.execute("select pg_stat_force_next_flush()");
        alone.execute("select 1");
        return alone.fetchSingle(
                        "select coalesce(sum(idx_tup_read), 0)::bigint from pg_stat_user_indexes where schemaname = {0}"
                                + " and relname like 'outbox\\_message%'",
                        DSL.val(outbox.schema.value()))
                .get(0, Long.class);
    }
}
