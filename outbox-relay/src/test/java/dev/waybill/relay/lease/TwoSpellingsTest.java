package dev.waybill.relay.lease;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Relays that publish to one queue under two spellings, so that a session passes its own hold. */
@ExtendWith(PostgresExtension.class)
class TwoSpellingsTest {
    private static final String ALARMS =
            "select destination || ': ' || detail from $.relay_alarm where alarm = 'two-spellings' order by 1";
    private static final String NAMES = "Service Bus takes these for one: 'Orders' (%s), 'orders' (%s)";

    private final Logger logger = (Logger) LoggerFactory.getLogger(Heartbeat.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private NewTables tables;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        log.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void a_relay_with_another_spelling_is_told_at_its_start_and_raises_an_alarm_for_both() {
        var right = new OneRelay(tables, "orders", "bills");
        assertThat(warnings()).isEmpty();

        var wrong = new OneRelay(tables, "Orders");

        String names = NAMES.formatted("relay test", "relay test");
        assertThat(warnings()).singleElement().asString().contains("'Orders'", names);
        assertThat(alarms()).containsExactlyInAnyOrder("orders: " + names, "Orders: " + names);
        for (int beat = 0; beat < 3; beat++) {
            right.move();
            wrong.move();
        }
        assertThat(warnings()).as("each relay once a start").hasSize(2);

        wrong.hang();
        assertThat(alarms()).as("a relay that serves nothing").isEmpty();
    }

    @Test
    void two_destinations_that_are_one_entity_in_two_configurations_are_told() {
        OneRelay.to("prod/orders", tables, "orders");
        OneRelay.to("prod/orders", tables, "order-events");
        OneRelay.to("other/orders", tables, "copies");

        String names = "all of these are prod/orders: 'order-events' (relay test), 'orders' (relay test)";
        assertThat(warnings()).singleElement().asString().contains("'order-events'", names);
        assertThat(alarms()).containsExactly("order-events: " + names, "orders: " + names);

        tables.execute("update $.outbox_destination set entity = 'orders-2' where destination = 'orders'");
        assertThat(alarms()).as("a migration moved one of them").isEmpty();
    }

    @Test
    void a_hold_of_a_spelling_that_no_relay_serves_any_more_is_passed_as_well() {
        tables.execute(
                "insert into $.outbox_hold (destination, session_id, state, reason)"
                        + " values ('Orders', 's', 'parked', 'x'), ('Bills', 's', 'parked', 'x'), ('Bills', 't', 'parked', 'x')");

        new OneRelay(tables, "orders", "Bills");

        String names = NAMES.formatted("holds", "relay test");
        assertThat(warnings()).singleElement().asString().contains("'orders'", names);
        assertThat(alarms()).containsExactlyInAnyOrder("orders: " + names, "Orders: " + names);
    }

    @Test
    void a_destination_with_both_mistakes_is_told_of_both() {
        OneRelay.at("prod", tables, "orders");
        OneRelay.at("prod", tables, "Orders");
        OneRelay.at("staging", tables, "orders");

        assertThat(warnings())
                .last()
                .asString()
                .contains("prod/orders (test), staging/orders (test); Service Bus takes these");
    }

    private List<String> alarms() {
        return tables.fetch(ALARMS).getValues(0, String.class);
    }

    private List<String> warnings() {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
