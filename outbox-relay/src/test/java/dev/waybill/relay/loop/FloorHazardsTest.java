package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.lease.NewTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One planned interleaving for each way in which a floor could pass a committed row. */
@ExtendWith(PostgresExtension.class)
class FloorHazardsTest {
    private static final int LANE_IS_FULL = 450;

    private final Broker broker = new Broker();
    private NewTables tables;
    private SteppedRelay relay;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        relay = new SteppedRelay(tables, broker, "bills", "orders").own();
    }

    @AfterEach
    void end() {
        relay.close();
    }

    @Test
    void rows_behind_a_page_that_was_cut_by_rows_are_read() {
        appendMany("orders", "'s' || n", 1_000, 1);
        var pages = new Memory(300, 64L << 20);

        for (int i = 0; i < 10; i++) {
            relay.read(pages);
            relay.sendAndSettle();
            relay.mark();
        }

        assertThat(broker.arrived()).hasSize(1_000).doesNotHaveDuplicates();
        assertThat(waiting()).isZero();
    }

    @Test
    void rows_behind_a_page_that_was_cut_by_bytes_are_read() {
        appendMany("orders", "'s' || n", 40, 10_000);
        // A quarter of it is read at once.
        var pages = new Memory(300, 200_000);

        for (int i = 0; i < 12; i++) {
            relay.read(pages);
            relay.sendAndSettle();
            relay.mark();
        }

        assertThat(broker.arrived()).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void a_row_of_a_full_lane_that_commits_late_is_read_when_the_lane_has_room() throws Exception {
        broker.answersNothing();
        String sameLane = sessionOfTheLaneOf("hot");
        try (Connection late = tables.open()) {
            append(late, "orders", sameLane, "late");
            appendMany("orders", "'hot'", LANE_IS_FULL, 1);
            relay.read(SteppedRelay.MUCH);
            assertThat(relay.destination("orders").mine().lanes().fullLanes()).isNotZero();
            relay.mark();
            late.commit();
        }
        // Its lane is left out, and no transaction keeps the mark open any more.
        relay.read(SteppedRelay.MUCH);
        drain();

        assertThat(broker.arrived()).hasSize(LANE_IS_FULL + 1).contains("late");
    }

    @Test
    void a_row_of_a_destination_that_was_not_asked_is_read_when_it_is() throws Exception {
        try (Connection late = tables.open()) {
            append(late, "bills", "s", "late");
            tables.append("orders", "s", "m1");
            relay.read(SteppedRelay.MUCH);
            relay.mark();
            late.commit();
        }
        long before = relay.floors().of("bills");
        relay.read(SteppedRelay.MUCH, "orders");
        assertThat(relay.floors().of("bills")).isEqualTo(before);
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(broker.arrived()).containsExactlyInAnyOrder("m1", "late");
    }

    @Test
    void a_row_that_commits_while_its_destination_is_paused_is_read_when_it_is_open() throws Exception {
        try (Connection late = tables.open()) {
            append(late, "bills", "s", "late");
            tables.append("orders", "s", "m1");
            relay.read(SteppedRelay.MUCH);
            relay.mark();
            late.commit();
        }
        tables.execute("update $.outbox_destination set paused_at = now() where destination = 'bills'");
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();
        assertThat(broker.arrived()).containsExactly("m1");
        tables.execute("update $.outbox_destination set paused_at = null");
        // The first read finds that the destination is open, the second one asks for its rows.
        relay.read(SteppedRelay.MUCH);
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(broker.arrived()).containsExactly("m1", "late");
    }

    @Test
    void a_row_of_a_destination_without_room_is_read_when_it_has_room() throws Exception {
        broker.answersNothing();
        var little = new Memory(100, 64L << 20);
        try (Connection late = tables.open()) {
            append(late, "orders", "s", "late");
            appendMany("orders", "'s' || n", 99, 1);
            relay.read(little);
            relay.mark();
            late.commit();
        }
        assertThat(little.room(relay.destination("orders").mine().lanes())).isZero();
        relay.read(little);
        drain();

        assertThat(broker.arrived()).hasSize(100).contains("late");
    }

    @Test
    void the_first_row_of_all_is_read_though_the_sequence_says_one_before_it_is_drawn() {
        tables.fetch("select setval('$.outbox_seq', 1, false)");
        relay.die();
        relay = new SteppedRelay(tables, broker, "bills", "orders").own();
        relay.read(SteppedRelay.MUCH);
        relay.mark();
        relay.read(SteppedRelay.MUCH);

        tables.append("orders", "s", "m1");
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(tables.one(Long.class, "select last_value from $.outbox_seq"))
                .isEqualTo(1);
        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    void rows_of_a_session_that_is_held_are_read_again_when_its_hold_has_ended() {
        hold("bad");
        tables.append("orders", "bad", "b2", "b3");
        tables.append("orders", "ok", "o4");
        relay.read(SteppedRelay.MUCH);
        relay.sending.send(relay.owned(), true);
        relay.mark();
        relay.read(SteppedRelay.MUCH);
        // An operator skips what is in the hold, before the rows have joined it.
        tables.execute("delete from $.outbox_hold");
        tables.append("orders", "bad", "b5");
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();
        assertThat(broker.arrived()).containsExactly("o4");

        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(broker.firstOf("bad")).containsExactly("b2", "b3", "b5");
    }

    @Test
    void rows_of_a_held_session_are_not_passed_by_a_floor_while_a_hold_is_locked() throws Exception {
        hold("bad");
        tables.append("orders", "bad", "b2");
        tables.append("orders", "ok", "o3");
        try (Connection operator = tables.open()) {
            tables.execute(operator, "delete from $.outbox_hold");
            relay.read(SteppedRelay.MUCH);
            relay.sendAndSettle();
            relay.mark();
            relay.read(SteppedRelay.MUCH);
            operator.commit();
        }
        tables.append("orders", "bad", "b4");
        relay.clock.advance(Duration.ofSeconds(3));
        for (int i = 0; i < 3; i++) {
            relay.read(SteppedRelay.MUCH);
            relay.sendAndSettle();
        }

        assertThat(broker.firstOf("bad")).containsExactly("b2", "b4");
    }

    private void drain() {
        var part = SteppedRelay.MUCH;
        broker.takePending().forEach(Broker.Pending::accept);
        broker.acceptsAll();
        int before = -1;
        while (before != broker.arrived().size()) {
            before = broker.arrived().size();
            relay.sendAndSettle();
            relay.read(part);
            relay.sendAndSettle();
        }
    }

    private void hold(String session) {
        tables.execute(
                "insert into $.outbox_hold (destination, session_id, state, reason) values ('orders', {0}, 'parked', 'test')",
                DSL.val(session));
    }

    private int waiting() {
        return tables.one(Integer.class, "select count(*) from $.outbox_message");
    }

    private void append(Connection tx, String destination, String session, String id) throws SQLException {
        tables.execute(tx, "select $.outbox_append('%s', '%s', '%s', '\\x01')".formatted(destination, session, id));
    }

    private void appendMany(String destination, String session, int count, int bytes) {
        tables.execute(
                "insert into $.outbox_message (destination, session_id, message_id, payload)"
                        + " select {0}, " + session + ", 'm' || n, convert_to(repeat('x', {2}), 'UTF8')"
                        + " from generate_series(1, {1}) n order by n",
                DSL.val(destination),
                DSL.val(count),
                DSL.val(bytes));
    }

    private String sessionOfTheLaneOf(String session) {
        String lane = "(hashtextextended(%s::text collate \"C\", 0) & 31)";
        return tables.one(
                String.class,
                "select 'x' || n from generate_series(1, 1000) n where " + lane.formatted("('x' || n)") + " = "
                        + lane.formatted("{0}") + " limit 1",
                DSL.val(session));
    }
}
