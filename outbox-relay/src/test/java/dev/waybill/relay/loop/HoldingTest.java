package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import java.sql.Connection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** From a refusal to the hold, and from the end of a hold back to the outbox: a session is never overtaken. */
@ExtendWith(PostgresExtension.class)
class HoldingTest {
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
    void the_rest_of_a_refused_rows_session_is_held_with_it_and_other_sessions_go_on() {
        broker.refuses("b2");
        tables.append("orders", "bad", "b1", "b2", "b3");
        tables.append("orders", "ok", "o1");
        relay.turns(3);
        tables.append("orders", "bad", "b4");
        tables.append("orders", "ok", "o2");
        relay.turns(3);

        assertThat(broker.arrived()).containsExactlyInAnyOrder("b1", "o1", "o2");
        assertThat(held()).containsExactly("b2", "b3", "b4");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void a_session_goes_on_behind_a_message_that_is_skipped() {
        relay.die();
        relay = new SteppedRelay(tables, tables.dataSource(), broker, HoldPolicy.HOLD_MESSAGE, "bills", "orders").own();
        broker.refuses("b2", "n1");
        tables.append("orders", "bad", "b1", "b2", "b3");
        tables.append("orders", null, "n1");
        relay.turns(5);

        assertThat(broker.firstOf("bad")).containsExactly("b1", "b3");
        assertThat(held()).containsExactlyInAnyOrder("b2", "n1");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void rows_that_arrive_while_the_refusal_is_not_settled_are_not_sent() throws Exception {
        broker.refuses("b1");
        tables.append("orders", "bad", "b1");
        relay.turn();
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_destination where destination = 'orders' for update");
            tables.append("orders", "bad", "b2");
            broker.acceptsAll();
            relay.turns(3);
            assertThat(broker.arrived()).isEmpty();
        }
        relay.clock.advance(Duration.ofSeconds(3));
        relay.turns(3);

        assertThat(held()).containsExactly("b1", "b2");
        assertThat(broker.arrived()).isEmpty();
    }

    @Test
    void somebody_who_keeps_a_hold_locked_delays_only_its_destination() throws Exception {
        hold("bad");
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_hold for update");
            tables.append("orders", "bad", "b1");
            relay.turns(2);
            tables.append("bills", "s", "i1");
            tables.append("orders", "ok", "o1");
            relay.turns(2);
            assertThat(broker.arrived()).containsExactlyInAnyOrder("i1", "o1");
            assertThat(waiting()).containsExactly("b1");
        }
        relay.clock.advance(Duration.ofSeconds(3));
        relay.turns(2);

        assertThat(held()).containsExactly("b1");
    }

    @Test
    void a_hold_that_ends_while_rows_are_on_their_way_to_it_gives_them_back_in_order() {
        hold("bad");
        tables.append("orders", "bad", "b1", "b2");
        relay.read(SteppedRelay.MUCH);
        tables.execute("delete from $.outbox_hold");
        tables.append("orders", "bad", "b3");
        relay.turns(4);
        tables.append("orders", "bad", "b4");
        relay.turns(2);

        assertThat(broker.firstOf("bad")).containsExactly("b1", "b2", "b3", "b4");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void a_hold_with_more_rows_on_their_way_than_a_page_that_ends_gives_all_of_them_back_in_order() throws Exception {
        hold("bad");
        tables.execute("insert into $.outbox_message (destination, session_id, message_id, payload)"
                + " select 'orders', 'bad', 'b' || n, '' from generate_series(1, 4500) n order by n");
        try (Connection operator = tables.open()) {
            tables.execute(operator, "delete from $.outbox_hold");
            relay.turns(4);
            assertThat(relay.destination("orders").mine().lanes().rows()).isGreaterThan(2_500);
            operator.commit();
        }
        relay.clock.advance(Duration.ofSeconds(3));
        for (int i = 0; i < 150 && !waiting().isEmpty(); i++) {
            relay.turn();
        }

        assertThat(broker.firstOf("bad")).hasSize(4_500);
        assertThat(broker.firstOf("bad"))
                .isSortedAccordingTo(Comparator.comparing(id -> Integer.parseInt(id.substring(1))));
    }

    @Test
    void a_hold_that_is_made_anew_while_rows_are_on_their_way_takes_them_in() {
        hold("bad");
        tables.append("orders", "bad", "b1");
        relay.read(SteppedRelay.MUCH);
        tables.execute("delete from $.outbox_hold");
        hold("bad");
        relay.turns(2);

        assertThat(held()).containsExactly("b1");
        assertThat(broker.arrived()).isEmpty();
    }

    @Test
    void two_sessions_of_one_lane_are_held_one_by_one() {
        broker.refuses("a1", "c1");
        // One lane, whatever their hash: no more than 32 are there.
        for (int i = 0; i < 40; i++) {
            tables.append("orders", "s" + i, "x" + i);
        }
        tables.append("orders", "a", "a1", "a2");
        tables.append("orders", "c", "c1", "c2");
        relay.turns(6);

        assertThat(held()).containsExactlyInAnyOrder("a1", "a2", "c1", "c2");
        assertThat(broker.arrived()).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void a_zombie_that_comes_back_with_a_refusal_holds_nothing() {
        broker.answersNothing();
        tables.append("orders", "bad", "b1", "b2");
        relay.turn();
        var late = broker.takePending();
        tables.execute("update $.relay set alive_until = clock_timestamp() - interval '1 second' where id = '"
                + relay.relay.id() + "'");
        broker.acceptsAll();
        try (var successor = new SteppedRelay(tables, broker, "bills", "orders").own()) {
            successor.turns(2);
            assertThat(broker.firstOf("bad")).containsExactly("b1", "b2");
            late.forEach(sent -> sent.answer(PublishResult.refused(0, new IllegalStateException("the zombie's"))));
            relay.turns(3);
            tables.append("orders", "bad", "b3");
            successor.turns(2);
        }

        assertThat(tables.one(Integer.class, "select count(*) from $.outbox_hold"))
                .isZero();
        assertThat(broker.firstOf("bad")).containsExactly("b1", "b2", "b3");
    }

    private void hold(String session) {
        tables.execute(
                "insert into $.outbox_hold (destination, session_id, state, reason) values ('orders', {0}, 'parked', 'test')",
                DSL.val(session));
    }

    private List<String> held() {
        return tables.fetch("select message_id from $.outbox_held_message order by hold_id, place")
                .getValues(0, String.class);
    }

    private List<String> waiting() {
        return tables.fetch("select message_id from $.outbox_message order by seq")
                .getValues(0, String.class);
    }
}
