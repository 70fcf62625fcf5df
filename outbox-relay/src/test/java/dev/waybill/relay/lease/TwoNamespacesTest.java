package dev.waybill.relay.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Relays of one destination whose configurations name different namespaces. */
@ExtendWith(PostgresExtension.class)
class TwoNamespacesTest {
    private static final String ALARMS = "select destination from $.relay_alarm where alarm = 'two-namespaces'";

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
    void a_relay_with_the_namespace_of_another_environment_is_told_at_its_start_and_raises_an_alarm() {
        var right = OneRelay.at("prod.servicebus.windows.net", tables, "orders", "bills");
        assertThat(warnings()).isEmpty();

        var wrong = OneRelay.at("staging.servicebus.windows.net", tables, "orders");

        String words = "relays publish it to different places: prod.servicebus.windows.net/orders (test),"
                + " staging.servicebus.windows.net/orders (test)";
        assertThat(warnings()).singleElement().asString().contains("'orders'", words);
        assertThat(tables.fetch(ALARMS + " and detail = {0}", DSL.val(words)).getValues(0, String.class))
                .containsExactly("orders");
        for (int beat = 0; beat < 3; beat++) {
            right.move();
            wrong.move();
        }
        assertThat(warnings()).as("each relay once a start").hasSize(2);

        wrong.hang();
        assertThat(tables.fetch(ALARMS)).as("a relay that serves nothing").isEmpty();
    }

    @Test
    void two_entities_of_one_namespace_are_two_places_until_a_migration_names_the_one_in_force() {
        OneRelay.to("prod/orders", tables, "orders");
        OneRelay.to("prod/orders-old", tables, "orders");

        assertThat(warnings()).singleElement().asString().contains("prod/orders (test), prod/orders-old (test)");
        assertThat(tables.fetch(ALARMS).getValues(0, String.class)).containsExactly("orders");

        tables.execute("update $.outbox_destination set entity = 'Orders-2' where destination = 'orders'");
        assertThat(tables.fetch(ALARMS)).isEmpty();
    }

    @Test
    void relays_of_one_namespace_and_relays_that_do_not_say_it_raise_none() {
        OneRelay.at("prod.servicebus.windows.net", tables, "orders");
        OneRelay.at("prod.servicebus.windows.net", tables, "orders");
        OneRelay.at("", tables, "orders");

        assertThat(warnings()).isEmpty();
        assertThat(tables.fetch(ALARMS)).isEmpty();
    }

    @Test
    void relays_that_run_say_where_their_publishers_send_to() {
        try (Relay one = relay("one", "prod");
                Relay other = relay("other", "staging")) {
            await().until(() -> tables.fetch(ALARMS).size() == 1);
            await().until(() -> warnings().stream().anyMatch(line -> line.contains("prod (one), staging (other)")));
            assertThat(one.health()).isNotSameAs(other.health());
        }
    }

    private Relay relay(String name, String place) {
        return Relay.builder(tables.dataSource())
                .schema(tables.schema)
                .name(name)
                .destination("orders")
                .publisher(new Publisher() {
                    @Override
                    public CompletionStage<PublishResult> publish(Shipment shipment) {
                        return CompletableFuture.completedFuture(
                                PublishResult.accepted(shipment.rows().size()));
                    }

                    @Override
                    public String place(String destination) {
                        return place;
                    }

                    @Override
                    public void close() {}
                })
                .tuning(tuning -> tuning.leaseDuration(Duration.ofSeconds(2)))
                .start();
    }

    private List<String> warnings() {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
