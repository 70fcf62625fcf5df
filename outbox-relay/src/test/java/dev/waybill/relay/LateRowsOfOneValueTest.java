package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Late rows with one sequence value, as after a sequence was set back, each of a transaction of its own. */
@ExtendWith(PostgresExtension.class)
class LateRowsOfOneValueTest {
    private static final PageLimit ONE_ROW = new PageLimit(1, 1_000_000, false);

    private final List<Connection> open = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private TestDatabase database;
    private OutboxFixture outbox;
    private List<String> sessions;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        sessions = outbox.sessionsOfOneBucket(2);
        outbox.execute("select setval('$schema.outbox_message_seq', 1000)");
    }

    @AfterEach
    void close_what_is_open() throws SQLException {
        for (Connection writer : open) {
            writer.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 20})
    void rows_of_many_transactions_are_read_each_where_they_do_not_fit_on_a_page(int times) throws SQLException {
        var lane = new Lane(OutboxFixture.DESTINATION, (short) 7);
        try (var connection =
                OutboxFixture.connections(outbox.schema.in(outbox.dsl)).open()) {
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            Map<Lane, Cursor> start = reader.start(List.of(lane));
            leaveOpen(times, 1001);
            insert(open.get(0), 1002, "last");
            outbox.execute("select setval('$schema.outbox_message_seq', 1002)");
            Page before = reader.read(start, ONE_ROW);
            var cursors = Map.of(lane, new Cursor(before.reach(lane, 1000), before.snapshot(), Cursor.UNBOUNDED));
            commit();

            assertThat(readAll(reader, lane, cursors)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void a_relay_sends_rows_of_more_transactions_than_fit_on_a_page() throws SQLException {
        var broker = new RecordingPublisher();
        var relay = outbox.relay(broker, 1).started();
        leaveOpen(40, 500);
        outbox.append(sessions.get(1), "fast");
        expected.add("fast");
        relay.run();
        commit();

        for (int i = 0; i < 5; i++) {
            relay.run();
            outbox.letRecordingBeDue();
        }

        assertThat(broker.arrived()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<String> readAll(OutboxReader reader, Lane lane, Map<Lane, Cursor> cursors) {
        Page page = reader.read(cursors, ONE_ROW);
        var rows = new ArrayList<>(page.rows(lane));
        while (page.isLateCut()) {
            page = reader.readMoreLate(cursors, page, ONE_ROW);
            rows.addAll(page.rows(lane));
        }
        return rows.stream().map(OutboxRow::messageId).toList();
    }

    private void leaveOpen(int times, long seq) throws SQLException {
        for (int row = 0; row < times; row++) {
            // More than the pool has.
            Connection writer = DriverManager.getConnection(database.server().jdbcUrl());
            open.add(writer);
            writer.setAutoCommit(false);
            insert(writer, seq, "late" + row);
        }
    }

    private void insert(Connection writer, long seq, String id) {
        DSL.using(writer, SQLDialect.POSTGRES)
                .execute(
                        "insert into " + outbox.schema.table("outbox_message")
                                + " (seq, destination, session_id, message_id, payload) values ({0}, {1}, {2}, {3}, 'x')",
                        DSL.val(seq),
                        DSL.val(OutboxFixture.DESTINATION),
                        DSL.val(sessions.get(0)),
                        DSL.val(id));
        expected.add(id);
    }

    private void commit() throws SQLException {
        for (Connection writer : open) {
            writer.commit();
        }
    }
}
