package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How much a read brings, and that nothing is lost where it is cut. */
@ExtendWith(PostgresExtension.class)
class PageBytesTest {
    private static final Lane LANE = new Lane(OutboxFixture.DESTINATION, (short) 7);
    private static final PageLimit SMALL = new PageLimit(100, 1_000, false);
    private static final PageLimit AT_LEAST_ONE = new PageLimit(100, 1_000, true);

    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;
    private LoopConnection connection;
    private OutboxReader reader;
    private List<String> sessions;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
        sessions = outbox.sessionsOfOneBucket(2);
        connection = OutboxFixture.connections(outbox.schema.in(outbox.dsl)).open();
        reader = new SnapshotCursorReader(connection, new ReadSql(outbox.schema));
    }

    @AfterEach
    void close() {
        connection.close();
    }

    @Test
    void a_page_brings_no_more_new_rows_than_its_bytes() {
        insert(10, 400);

        Page page = reader.read(start(), SMALL);

        assertThat(page.rows(LANE)).hasSize(2);
        assertThat(page.more()).containsExactly(LANE);
        assertThat(page.reach(LANE, 0)).isEqualTo(page.rows(LANE).get(1).seq());
    }

    @Test
    void a_page_of_rows_that_have_no_more_than_their_share_brings_no_more_than_asked_for() {
        insert(10, 400);

        Page page = reader.read(start(), new PageLimit(5, 6 * 410, false));

        assertThat(page.rows(LANE)).hasSize(5);
        assertThat(page.more()).as("that there are others behind it").containsExactly(LANE);
        assertThat(page.reach(LANE, 0)).isEqualTo(page.rows(LANE).get(4).seq());
    }

    @Test
    void a_page_ends_before_a_row_that_is_larger_than_what_is_left_of_its_bytes() {
        insert(3, 10);
        insert(1, 900);
        insert(1, 900);
        insert(3, 10);

        Page page = reader.read(start(), SMALL);

        assertThat(page.rows(LANE)).hasSize(4);
        assertThat(page.more()).as("that there are others behind it").containsExactly(LANE);
        assertThat(page.reach(LANE, 0)).isEqualTo(page.rows(LANE).get(3).seq());
    }

    @Test
    void a_message_that_is_larger_than_its_share_is_sent_in_its_place() {
        int share = (int) (LaneReads.mostBytes() / 32 / 101);
        outbox.append(sessions.get(0), "before");
        insert(1, 2 * share);
        outbox.append(sessions.get(0), "after");

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("before", "m0", "after");
    }

    @Test
    void a_row_larger_than_a_page_does_not_come_with_many_lanes_and_comes_alone_where_it_is_asked_for() {
        insert(2, 5_000);

        Page shared = reader.read(start(), SMALL);
        assertThat(shared.rows(LANE)).isEmpty();
        assertThat(shared.isTooLargeFor(LANE)).isTrue();

        Page alone = reader.read(start(), AT_LEAST_ONE);
        assertThat(alone.rows(LANE)).hasSize(1);
        assertThat(alone.more()).as("that there is another behind it").containsExactly(LANE);
    }

    @Test
    void the_head_is_read_in_full_where_it_weighs_too_much() {
        Map<Lane, Cursor> before = start();
        insert(10, 400);

        assertThat(reader.readHead(before, SMALL)).isNull();
    }

    @Test
    void late_rows_come_in_pages_of_as_many_bytes_and_each_comes_once() throws Exception {
        Map<Lane, Cursor> cursors = afterTenLateRows(400);
        var seen = new ArrayList<Long>();

        Page page = reader.read(cursors, SMALL);
        page.rows(LANE).forEach(row -> seen.add(row.seq()));
        assertThat(seen).hasSize(2);
        while (page.isLateCut()) {
            page = reader.readMoreLate(cursors, page, SMALL);
            assertThat(page.bytes()).isLessThanOrEqualTo(1_000);
            page.rows(LANE).forEach(row -> seen.add(row.seq()));
        }

        assertThat(seen).hasSize(10).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_late_row_larger_than_a_page_comes_alone() throws Exception {
        Page page = reader.read(afterTenLateRows(5_000), SMALL);

        assertThat(page.rows(LANE)).hasSize(1);
        assertThat(page.isLateCut()).as("that there are others behind it").isTrue();
    }

    @Test
    void a_relay_sends_what_follows_a_huge_message() {
        insert(1, 40_000_000);
        insert(2, 10);

        outbox.relay(broker).started().run();

        assertThat(broker.arrived()).containsExactly("m0", "m0", "m1");
    }

    @Test
    @Tag("long")
    void a_relay_sends_late_rows_that_follow_a_huge_one() throws Exception {
        var relay = outbox.relay(broker).started();
        try (var slow = outbox.open();
                var statement = slow.createStatement()) {
            statement.execute(insertion(3, 2_000_000));
            outbox.append(sessions.get(1), "fast");
            relay.run();
            slow.commit();
        }
        relay.run();

        assertThat(broker.arrived()).containsExactly("fast", "m0", "m1", "m2");
    }

    @Test
    void a_lane_that_is_sent_with_caution_reads_no_more_than_fits() {
        insert(30, 1_000_000);
        var asked = new ArrayList<PageLimit>();
        for (int death = 0; death < CrashSuspect.GRAVE; death++) {
            broker.behave(shipment -> {
                throw new IllegalStateException("died");
            });
            var doomed = outbox.relay(broker).started();
            assertThatThrownBy(doomed::run).hasMessage("died");
            outbox.expireLeases();
        }
        broker.takeEverything();
        var careful =
                outbox.relay(broker, 100, right -> new Asked(right, asked)).started();
        for (int walk = 0; walk < 10; walk++) {
            careful.run();
        }

        assertThat(broker.arrived()).hasSize(30);
        assertThat(asked).isNotEmpty().allMatch(limit -> limit.bytes() <= 4 << 20 || !limit.atLeastOne());
    }

    @Test
    void a_read_that_failed_is_tried_again_with_less() {
        insert(1, 10);
        var asked = new ArrayList<PageLimit>();
        var relay = outbox.relay(broker, 100, right -> new Asked(right, asked) {
                    @Override
                    public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
                        Page page = super.read(cursors, limit);
                        if (asked.size() == 1) {
                            throw new OutOfMemoryError("planned");
                        }
                        return page;
                    }
                })
                .started();

        assertThatThrownBy(relay::run).hasMessage("planned");
        relay.run();
        relay.run();

        assertThat(asked.get(1).bytes()).isLessThan(asked.get(0).bytes());
        assertThat(broker.arrived()).containsExactly("m0");
    }

    @Test
    void a_pause_while_late_rows_wait_behind_a_cut_page_loses_none() throws Exception {
        var destinations = Destinations.of(database.dataSource(), outbox.schema);
        String[] late = IntStream.range(0, 67).mapToObj(i -> "late" + i).toArray(String[]::new);
        var relay = outbox.relay(broker, 1).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), late);
        outbox.append(sessions.get(1), "fast");
        relay.run();
        outbox.commit(slow);
        relay.turn().step(true);
        assertThat(broker.arrived()).hasSizeBetween(2, late.length);

        destinations.pause(OutboxFixture.DESTINATION, "the partner is migrating");
        int sent = broker.arrived().size();
        relay.run();
        assertThat(broker.arrived()).hasSize(sent);
        destinations.resume(OutboxFixture.DESTINATION);
        relay.run();

        assertThat(broker.arrived().subList(1, late.length + 1)).containsExactly(late);
    }

    private Map<Lane, Cursor> start() {
        return reader.start(List.of(LANE));
    }

    /** Cursors that have passed ten rows of a transaction before it has committed. */
    private Map<Lane, Cursor> afterTenLateRows(int bytes) throws Exception {
        try (var slow = outbox.open();
                var statement = slow.createStatement()) {
            statement.execute(insertion(10, bytes));
            outbox.append(sessions.get(1), "fast");
            Page page = reader.read(start(), AT_LEAST_ONE);
            slow.commit();
            return Map.of(LANE, new Cursor(page.reach(LANE, 0), page.snapshot(), Cursor.UNBOUNDED));
        }
    }

    private void insert(int rows, int bytes) {
        outbox.dsl.execute(insertion(rows, bytes));
    }

    private String insertion(int rows, int bytes) {
        return "insert into %s (destination, session_id, message_id, payload) select '%s', '%s', 'm' || n, convert_to(repeat('x', %d), 'UTF8') from generate_series(0, %d) n"
                .formatted(
                        outbox.schema.table("outbox_message"),
                        OutboxFixture.DESTINATION,
                        sessions.get(0),
                        bytes,
                        rows - 1);
    }

    /** Remembers what was asked for. */
    private static class Asked extends PlantedReaders.Wrapped {
        private final List<PageLimit> asked;

        Asked(OutboxReader right, List<PageLimit> asked) {
            super(right);
            this.asked = asked;
        }

        @Override
        public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
            asked.add(limit);
            return super.read(cursors, limit);
        }
    }
}
