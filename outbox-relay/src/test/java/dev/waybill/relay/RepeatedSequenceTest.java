package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequence values that were drawn twice, as after a sequence was set back and the outbox was rebased. */
@ExtendWith(PostgresExtension.class)
class RepeatedSequenceTest {
    private static final int PAGE_ROWS = 5;

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private List<String> sessions;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        sessions = outbox.sessionsOfOneBucket(2);
        outbox.execute("select setval('$schema.outbox_message_seq', 1000)");
    }

    @Test
    void what_follows_a_repeated_value_at_the_end_of_a_page_of_most_rows_is_sent() {
        for (int seq = 1; seq <= 8; seq++) {
            insert(seq, "m" + seq, 10);
        }
        insert(PAGE_ROWS, "again", 10);
        insert(PAGE_ROWS, "once more", 10);

        outbox.relay(broker, PAGE_ROWS).started().run();

        assertThat(broker.arrived())
                .containsExactlyInAnyOrder("m1", "m2", "m3", "m4", "m5", "again", "once more", "m6", "m7", "m8");
    }

    @Test
    void what_follows_a_repeated_value_at_the_end_of_a_page_of_most_bytes_is_sent() {
        int third = (int) (LaneReads.mostBytes() / 32 / 3);
        for (int seq = 1; seq <= 6; seq++) {
            insert(seq, "m" + seq, third);
        }
        insert(3, "again", third);
        insert(3, "once more", third);

        outbox.relay(broker).started().run();

        assertThat(broker.arrived())
                .containsExactlyInAnyOrder("m1", "m2", "m3", "again", "once more", "m4", "m5", "m6");
    }

    @Test
    void a_repeated_value_is_sent_each_time_where_a_page_is_one_row() {
        insert(3, "m0", 10);
        insert(3, "m1", 10);
        insert(4, "m2", 10);

        outbox.relay(broker, 1).started().run();

        assertThat(broker.arrived()).containsExactlyInAnyOrder("m0", "m1", "m2");
    }

    @Test
    void a_repeated_value_is_sent_each_time_where_a_send_breaks_off_between_its_rows() {
        insert(2, "m0", 10);
        insert(3, "m1", 10);
        insert(3, "m2", 10);
        broker.behave(shipment -> shipment.rows().size() == 3
                ? PublishResult.failed(2, new IllegalStateException("gone"))
                : PublishResult.accepted(shipment.rows().size()));
        var relay = outbox.relay(broker).started();
        relay.run();
        outbox.clock.advanceMillis(60_000);
        broker.takeEverything();

        relay.run();

        assertThat(broker.arrived()).contains("m0", "m1", "m2");
    }

    @Test
    void a_repeated_value_of_rows_that_need_a_page_of_their_own_is_sent_each_time() {
        insert(3, "m0", 40_000_000);
        insert(3, "m1", 40_000_000);
        insert(4, "m2", 10);

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).contains("m0", "m1", "m2");
    }

    @Test
    void a_repeated_value_among_late_rows_is_sent_each_time() throws Exception {
        var relay = outbox.relay(broker, 2).started();
        var expected = new ArrayList<String>();
        try (var slow = outbox.open();
                var statement = slow.createStatement()) {
            for (int row = 0; row < 200; row++) {
                String id = "late" + row;
                statement.execute(insertion(1 + (row + 1) / 3, id, 10));
                expected.add(id);
            }
            outbox.append(sessions.get(1), "fast");
            expected.add("fast");
            relay.run();
            assertThat(broker.arrived()).containsExactly("fast");
            slow.commit();
        }

        relay.run();

        assertThat(broker.arrived()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void a_value_that_was_drawn_three_times_is_sent_each_time_where_a_page_is_one_row() {
        insert(3, "m0", 10);
        insert(3, "m1", 10);
        insert(3, "m2", 10);
        insert(4, "m3", 10);

        outbox.relay(broker, 1).started().run();

        assertThat(broker.arrived()).containsExactlyInAnyOrder("m0", "m1", "m2", "m3");
    }

    @Test
    void a_repeated_value_with_a_straggler_is_sent_each_time_where_a_page_is_one_row() {
        insert(3, "m0", 10);
        insert(3, "m1", 10);
        outbox.dsl.execute("insert into %s select * from %s where message_id = 'm1'"
                .formatted(outbox.schema.table("outbox_straggler"), outbox.schema.table("outbox_message")));
        outbox.dsl.execute("update %s set message_id = 'm2'".formatted(outbox.schema.table("outbox_straggler")));
        insert(4, "m3", 10);

        outbox.relay(broker, 1).started().run();

        assertThat(broker.arrived()).containsExactlyInAnyOrder("m0", "m1", "m2", "m3");
    }

    @Test
    void a_value_that_was_drawn_three_times_is_sent_each_time_where_late_rows_are_large() throws Exception {
        var relay = outbox.relay(broker).started();
        int most = (int) (LaneReads.mostBytes() * 2 / 3);
        try (var slow = outbox.open();
                var statement = slow.createStatement()) {
            for (int row = 0; row < 3; row++) {
                statement.execute(insertion(3, "late" + row, most));
            }
            statement.execute(insertion(4, "last", 10));
            outbox.append(sessions.get(1), "fast");
            relay.run();
            slow.commit();
        }

        relay.run();

        assertThat(broker.arrived()).contains("late0", "late1", "late2", "last");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 40})
    void a_value_that_was_drawn_many_times_is_sent_each_time_where_late_rows_come_one_at_a_time(int times)
            throws Exception {
        var expected = new ArrayList<String>();
        var lane = new Lane(OutboxFixture.DESTINATION, (short) 7);
        var limit = new PageLimit(1, 1_000_000, false);
        try (var connection =
                        OutboxFixture.connections(outbox.schema.in(outbox.dsl)).open();
                var slow = outbox.open();
                var statement = slow.createStatement()) {
            var reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
            Map<Lane, Cursor> start = reader.start(List.of(lane));
            for (int row = 0; row < times; row++) {
                statement.execute(insertion(1001, "late" + row, 10));
                expected.add("late" + row);
            }
            expected.add("last");
            statement.execute(insertion(1002, "last", 10));
            outbox.execute("select setval('$schema.outbox_message_seq', 1002)");
            Page before = reader.read(start, limit);
            var cursors = Map.of(lane, new Cursor(before.reach(lane, 1000), before.snapshot(), Cursor.UNBOUNDED));
            slow.commit();
            var seen = new ArrayList<String>();

            Page page = reader.read(cursors, limit);
            page.rows(lane).forEach(row -> seen.add(row.messageId()));
            while (page.isLateCut()) {
                page = reader.readMoreLate(cursors, page, limit);
                page.rows(lane).forEach(row -> seen.add(row.messageId()));
            }

            assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private void insert(long seq, String id, int bytes) {
        outbox.dsl.execute(insertion(seq, id, bytes));
    }

    private String insertion(long seq, String id, int bytes) {
        return "insert into %s (seq, destination, session_id, message_id, payload) values (%d, '%s', '%s', '%s', %s)"
                .formatted(
                        outbox.schema.table("outbox_message"),
                        seq,
                        OutboxFixture.DESTINATION,
                        sessions.get(0),
                        id,
                        "convert_to(repeat('x', " + bytes + "), 'UTF8')");
    }
}
