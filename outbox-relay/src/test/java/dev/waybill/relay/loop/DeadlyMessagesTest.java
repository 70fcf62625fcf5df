package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A message that ends the process that sends it: the test drops the relay when the message is handed to the publisher. */
@ExtendWith(PostgresExtension.class)
class DeadlyMessagesTest {
    private final Broker broker = new Broker();
    private Set<String> deadly = Set.of();
    private Set<String> throttled = Set.of();
    private volatile boolean dead;
    private NewTables tables;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        broker.answers(shipment -> {
            if (shipment.rows().stream().anyMatch(row -> deadly.contains(row.messageId()))) {
                dead = true;
                return null;
            }
            if (throttled.contains(shipment.destination())) {
                return new PublishResult(
                        0, dev.waybill.relay.Outcome.THROTTLED, new IllegalStateException("slow down"));
            }
            return Broker.all(shipment);
        });
    }

    @Test
    void a_deadly_message_is_held_and_its_session_with_it_and_all_others_arrive() {
        deadly = Set.of("b2");
        tables.append("bills", "s", "i1");
        tables.append("orders", "bad", "b1", "b2", "b3");
        tables.append("orders", "ok", "o1");

        int deaths = live(10);

        assertThat(deaths).isBetween(4, 6);
        assertThat(held()).containsExactly("b2", "b3");
        assertThat(tables.one(String.class, "select reason from $.outbox_hold")).isEqualTo("DeadlyMessage");
        assertThat(broker.arrived()).contains("i1", "b1", "o1").doesNotContain("b2", "b3");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void after_the_deadly_message_is_held_all_destinations_go_on() {
        deadly = Set.of("b1");
        tables.append("bills", "bad", "b1");

        try (var survivor = survivor()) {
            assertThat(held()).containsExactly("b1");
            tables.append("orders", "s", "o1", "o2");
            survivor.turns(5);

            assertThat(broker.arrived()).containsExactly("o1", "o2");
        }
    }

    @Test
    void a_destination_that_is_suspicious_and_has_nothing_to_send_stops_no_other() {
        new SteppedRelay(tables, broker, "bills", "orders").die();
        tables.execute("update $.outbox_destination set deaths = 3 where destination = 'bills'");
        try (var relay = new SteppedRelay(tables, broker, "bills", "orders").own()) {
            tables.append("orders", "s", "o1");
            relay.turns(4);

            assertThat(broker.arrived()).containsExactly("o1");
        }
    }

    @Test
    void a_destination_that_is_suspicious_and_has_a_deadly_message_only_stops_no_other_when_it_is_held() {
        deadly = Set.of("b1");
        tables.append("bills", "bad", "b1");
        tables.append("orders", "s", "o1");

        live(10);

        assertThat(held()).containsExactly("b1");
        assertThat(broker.arrived()).contains("o1");
    }

    @Test
    void a_message_that_was_sent_alone_and_throttled_is_not_blamed_for_another_ones_deaths() {
        deadly = Set.of("b1");
        throttled = Set.of("bills");
        tables.append("bills", "s", "i1", "i2");
        tables.append("orders", "bad", "b1");

        live(10);

        assertThat(held()).containsExactly("b1");
        throttled = Set.of();
        live(3);
        assertThat(broker.arrived()).contains("i1", "i2");
    }

    @Test
    void two_deadly_messages_of_two_destinations_are_both_held_and_nothing_else() {
        deadly = Set.of("b1", "c1");
        tables.append("bills", "bad", "b1");
        tables.append("bills", "ok", "i1", "i2");
        tables.append("orders", "worse", "c1");
        tables.append("orders", "ok", "o1", "o2");

        live(25);

        assertThat(held()).containsExactlyInAnyOrder("b1", "c1");
        assertThat(broker.arrived()).contains("i1", "i2", "o1", "o2");
    }

    @Test
    void deaths_that_no_message_causes_hold_none() {
        tables.append("orders", "s", "m1", "m2");
        broker.answersNothing();
        for (int i = 0; i < 4; i++) {
            var victim = new SteppedRelay(tables, broker, "bills", "orders").own();
            victim.turn();
            victim.die();
            // What the process died with was another message each time.
            tables.execute("delete from $.outbox_message where seq = (select min(seq) from $.outbox_message)");
            tables.append("orders", "s", "next" + i);
        }
        broker.acceptsAll();
        live(1);

        assertThat(held()).isEmpty();
        assertThat(waiting()).isEmpty();
        assertThat(tables.one(Integer.class, "select max(deaths) from $.outbox_destination"))
                .isZero();
    }

    @Test
    void a_message_that_kills_slowly_is_held_though_others_get_through_in_each_life() {
        deadly = Set.of("b1");
        tables.append("orders", "bad", "b1");
        for (int life = 0; life < 12 && held().isEmpty(); life++) {
            var relay = new SteppedRelay(tables, broker, "bills", "orders").own();
            for (int i = 0; i < 4; i++) {
                tables.append("orders", "ok", "o" + life + "_" + i);
                relay.turn();
            }
            relay.die();
        }

        assertThat(held()).containsExactly("b1");
    }

    // Relays live one after the other, until one of them survives. Returns how many died.
    private int live(int most) {
        for (int deaths = 0; deaths < most; deaths++) {
            dead = false;
            var relay = new SteppedRelay(tables, broker, "bills", "orders").own();
            for (int i = 0; i < 12 && !dead; i++) {
                relay.clock.advance(Duration.ofSeconds(1));
                relay.turn();
            }
            relay.die();
            if (!dead) {
                return deaths;
            }
        }
        return most;
    }

    private SteppedRelay survivor() {
        for (int deaths = 0; deaths < 10; deaths++) {
            dead = false;
            var relay = new SteppedRelay(tables, broker, "bills", "orders").own();
            for (int i = 0; i < 12 && !dead; i++) {
                relay.turn();
            }
            if (!dead) {
                return relay;
            }
            relay.die();
        }
        throw new AssertionError("each relay died");
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
