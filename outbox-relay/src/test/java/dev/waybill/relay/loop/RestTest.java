package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.lease.NewTables;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A loop that can do nothing rests; it does not turn as fast as it can. */
@ExtendWith(PostgresExtension.class)
class RestTest {
    private final Broker broker = new Broker();
    private NewTables tables;
    private SteppedRelay relay;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        relay = new SteppedRelay(tables, broker, "bills", "orders");
    }

    @AfterEach
    void end() {
        relay.close();
    }

    @Test
    void before_it_owns_anything_while_its_lease_is_not_trusted() {
        relay.clock.advance(Duration.ofMinutes(2));

        rests();
    }

    @Test
    void while_it_owns_and_its_lease_is_not_trusted() {
        relay.own();
        relay.clock.advance(Duration.ofMinutes(2));

        rests();
    }

    @Test
    void with_nothing_to_do() {
        relay.own();
        relay.turns(3);

        rests();
    }

    @Test
    void while_somebody_has_locked_a_destination_with_many_accepted_rows() throws Exception {
        relay.own();
        tables.execute("insert into $.outbox_message (destination, session_id, message_id, payload)"
                + " select 'orders', 's' || n, 'm' || n, '' from generate_series(1, 1500) n");
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_destination where destination = 'orders' for update");
            relay.turns(5);
            assertThat(relay.destination("orders").mine().lanes().acceptedCount())
                    .isGreaterThan(1_000);

            rests();
        }
        relay.turns(3);
        assertThat(relay.destination("orders").mine().lanes().acceptedCount()).isZero();
    }

    @Test
    void while_somebody_has_locked_a_destination_that_is_given_up() throws Exception {
        relay.own();
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_destination where destination = 'orders' for update");
            relay.destination("orders").mine().leave();
            relay.turns(3);

            rests();
        }
    }

    @Test
    void while_a_destination_is_paused_that_has_rows() {
        relay.own();
        tables.execute("update $.outbox_destination set paused_at = now()");
        tables.append("orders", "s", "m1");
        relay.turns(3);

        rests();
    }

    @Test
    void while_memory_is_full() {
        relay.own();
        broker.answersNothing();
        tables.execute("insert into $.outbox_message (destination, session_id, message_id, payload)"
                + " select 'orders', 's' || n, 'm' || n, '' from generate_series(1, 12000) n");
        relay.turns(10);

        rests();
    }

    @Test
    void while_a_hold_is_locked_that_rows_are_to_join() throws Exception {
        relay.own();
        tables.execute(
                "insert into $.outbox_hold (destination, session_id, state, reason) values ('orders', 'bad', 'parked', 't')");
        tables.append("orders", "bad", "b1");
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_hold for update");
            relay.turns(3);

            rests();
        }
    }

    // Within two seconds of its clock it takes few turns, though each one comes as soon as the loop wants it.
    private void rests() {
        int turns = 0;
        for (Duration left = Duration.ofSeconds(2); !left.isNegative() && turns < 400; turns++) {
            Duration rest = relay.loop.turn();
            relay.clock.advance(rest);
            left = left.minus(rest);
        }
        assertThat(turns).as("turns in two seconds").isLessThan(300);
    }
}
