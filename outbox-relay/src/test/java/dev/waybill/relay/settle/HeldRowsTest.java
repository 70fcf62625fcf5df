package dev.waybill.relay.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Cause;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.lease.OneRelay;
import dev.waybill.relay.send.Blocked;
import dev.waybill.relay.send.RowKey;
import dev.waybill.schema.Locking;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(PostgresExtension.class)
class HeldRowsTest {
    private static final Cause REFUSED = new Cause("TooLarge", "the test refuses it");

    private NewTables tables;
    private HeldRows holds;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        new OneRelay(tables, "orders").claim();
        holds = new HeldRows(tables.dsl, tables.schema);
    }

    @Test
    void a_refused_row_opens_the_hold_of_its_session_and_those_behind_it_join() {
        insert(5, "s", "m5");
        insert(6, "s", "m6");
        insert(7, "t", "t7");

        assertThat(move(1, refused(5, "s", "m5", false), joins(6, "s", "m6"))).contains(Set.of(5L, 6L));

        assertThat(held()).containsExactly("1:s m5", "1:s m6");
        assertThat(waiting()).containsExactly("t7");
        assertThat(tables.one(String.class, "select state || ' ' || reason || ' ' || times_parked from $.outbox_hold"))
                .isEqualTo("parked TooLarge 1");
    }

    @Test
    void a_zombie_holds_nothing() {
        insert(5, "s", "m5");
        tables.execute("update $.outbox_destination set epoch = 2");

        assertThat(move(1, refused(5, "s", "m5", false))).isEmpty();

        assertThat(held()).isEmpty();
        assertThat(waiting()).containsExactly("m5");
    }

    @Test
    void a_row_that_has_gone_leaves_no_empty_hold() {
        assertThat(move(1, refused(5, "s", "m5", false), joins(6, "s", "m6"))).contains(Set.of());

        assertThat(tables.one(Integer.class, "select count(*) from $.outbox_hold"))
                .isZero();
    }

    @Test
    void a_row_with_the_value_of_a_refused_one_and_another_id_is_not_held() {
        insert(5, "s", "another");

        assertThat(move(1, refused(5, "s", "m5", false))).contains(Set.of());

        assertThat(waiting()).containsExactly("another");
        assertThat(tables.one(Integer.class, "select count(*) from $.outbox_hold"))
                .isZero();
    }

    @Test
    void a_row_whose_hold_has_ended_stays_in_the_outbox() {
        insert(6, "s", "m6");

        assertThat(move(1, joins(6, "s", "m6"))).contains(Set.of());

        assertThat(waiting()).containsExactly("m6");
    }

    @Test
    void of_two_sessions_the_one_whose_hold_is_there_joins() {
        insert(5, "s", "m5");
        insert(6, "t", "m6");
        insert(7, "s", "m7");
        hold("s");

        assertThat(move(1, joins(5, "s", "m5"), joins(6, "t", "m6"), joins(7, "s", "m7")))
                .contains(Set.of(5L, 7L));

        assertThat(held()).containsExactly("1:s m5", "1:s m7");
        assertThat(waiting()).containsExactly("m6");
    }

    @Test
    void messages_alone_and_without_a_session_have_holds_of_their_own() {
        insert(5, "s", "m5");
        insert(6, null, "m6");
        insert(7, "s", "m7");

        assertThat(move(1, refused(5, "s", "m5", true), refused(6, null, "m6", true)))
                .contains(Set.of(5L, 6L));

        assertThat(held()).containsExactly("1:s/m5 m5", "-/m6 m6");
        assertThat(waiting()).containsExactly("m7");
    }

    // The key is computed by the table and by the relay: a length in characters, not in code units.
    @ParameterizedTest
    @ValueSource(strings = {"s", "1:s", "a/b", "-", "\uD83D\uDE00", "\uD83D\uDE00/\u00e4", "' \" \\ {} , NULL", " "})
    void the_hold_of_a_session_of_any_name_is_found(String session) {
        insert(5, session, "m5");
        insert(6, session, "m6");
        move(1, refused(5, session, "m5", false));

        assertThat(move(1, joins(6, session, "m6"))).contains(Set.of(6L));

        assertThat(tables.one(Integer.class, "select count(*) from $.outbox_hold"))
                .isEqualTo(1);
    }

    @Test
    void two_thousand_refusals_at_once_are_held_in_their_order() {
        tables.execute("insert into $.outbox_message (seq, destination, session_id, message_id, payload)"
                + " select n, 'orders', 's' || n % 500, 'm' || n, '' from generate_series(1, 2000) n");
        List<Blocked> all = new ArrayList<>();
        for (int n = 1; n <= 2_000; n++) {
            all.add(n <= 500 ? refused(n, "s" + n % 500, "m" + n, false) : joins(n, "s" + n % 500, "m" + n));
        }

        assertThat(holds.move("orders", 1, all).orElseThrow()).hasSize(2_000);

        assertThat(waiting()).isEmpty();
        assertThat(tables.one(Integer.class, "select count(*) from $.outbox_hold"))
                .isEqualTo(500);
        assertThat(tables.one(
                        Integer.class,
                        "select count(*) from (select origin_position < lag(origin_position) over (partition by hold_id order by"
                                + " place) as back from $.outbox_held_message) m where back"))
                .as("out of order")
                .isZero();
    }

    @Test
    void a_hold_that_an_operator_has_locked_is_waited_for_only_briefly_and_nothing_moves() throws Exception {
        insert(5, "s", "m5");
        hold("s");
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_hold for update");

            assertThatThrownBy(() -> move(1, joins(5, "s", "m5")))
                    .isInstanceOfSatisfying(
                            DataAccessException.class,
                            e -> assertThat(Locking.isTimeout(e.sqlState())).isTrue());
        }
        assertThat(waiting()).containsExactly("m5");
    }

    @Test
    void a_second_refusal_parks_a_hold_that_was_released() {
        hold("s");
        tables.execute("update $.outbox_hold set state = 'retrying', times_parked = 1");
        insert(5, "s", "m5");

        move(1, refused(5, "s", "m5", false));

        assertThat(tables.one(String.class, "select state || ' ' || times_parked || ' ' || reason from $.outbox_hold"))
                .isEqualTo("parked 2 TooLarge");
    }

    @Test
    void statistics_of_an_empty_outbox_do_not_compare_what_waits_with_what_is_held() {
        tables.execute("insert into $.outbox_message (destination, seq, session_id, message_id, payload)"
                + " select 'orders', n, 's', 'm' || n, '' from generate_series(1, 5000) as n");
        EmptyStatistics.of(tables);
        var blocked = new ArrayList<Blocked>(List.of(refused(1, "s", "m1", false)));
        for (long n = 2; n <= 100; n++) {
            blocked.add(joins(n, "s", "m" + n));
        }

        move(1, blocked.toArray(Blocked[]::new));

        assertThat(held()).hasSize(100);
        assertThat(EmptyStatistics.entriesRead(tables)).isLessThan(1_000);
    }

    private Optional<Set<Long>> move(long epoch, Blocked... rows) {
        return holds.move("orders", epoch, List.of(rows));
    }

    private static Blocked refused(long seq, @Nullable String session, String id, boolean alone) {
        return new Blocked(new RowKey(seq, id, null), session, alone, REFUSED);
    }

    private static Blocked joins(long seq, String session, String id) {
        return new Blocked(new RowKey(seq, id, null), session, false, null);
    }

    private void hold(String session) {
        tables.execute(
                "insert into $.outbox_hold (destination, session_id, state, reason) values ('orders', {0}, 'parked', 'test')",
                DSL.val(session));
    }

    private void insert(long seq, @Nullable String session, String id) {
        tables.execute(
                "insert into $.outbox_message (destination, seq, session_id, message_id, payload)"
                        + " values ('orders', {0}, {1}, {2}, '')",
                DSL.val(seq), DSL.val(session), DSL.val(id));
    }

    private List<String> held() {
        return tables.fetch("select h.key || ' ' || m.message_id from $.outbox_held_message m"
                        + " join $.outbox_hold h on h.id = m.hold_id order by m.place")
                .getValues(0, String.class);
    }

    private List<String> waiting() {
        return tables.fetch("select message_id from $.outbox_message order by seq")
                .getValues(0, String.class);
    }
}
