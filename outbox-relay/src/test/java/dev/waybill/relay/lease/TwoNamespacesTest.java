package dev.waybill.relay.lease;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.List;
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
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
    }

    @Test
    void a_relay_with_the_namespace_of_another_environment_is_told_at_its_start_and_raises_an_alarm() {
        var right = OneRelay.at("prod.servicebus.windows.net", tables, "orders", "bills");
        assertThat(warnings()).isEmpty();

        var wrong = OneRelay.at("staging.servicebus.windows.net", tables, "orders");

        String words = "relays publish it to different places: prod.servicebus.windows.net (test),"
                + " staging.servicebus.windows.net (test)";
        assertThat(warnings()).singleElement().asString().contains("'orders'", words);
        assertThat(tables.fetch(ALARMS + " and detail = {0}", DSL.val(words)).getValues(0, String.class))
                .containsExactly("orders");
        right.move();
        wrong.move();
        assertThat(warnings()).as("once a start").hasSize(1);

        wrong.hang();
        assertThat(tables.fetch(ALARMS)).as("a relay that serves nothing").isEmpty();
    }

    @Test
    void relays_of_one_namespace_and_relays_that_do_not_say_it_raise_none() {
        OneRelay.at("prod.servicebus.windows.net", tables, "orders");
        OneRelay.at("prod.servicebus.windows.net", tables, "orders");
        OneRelay.at("", tables, "orders");

        assertThat(warnings()).isEmpty();
        assertThat(tables.fetch(ALARMS)).isEmpty();
    }

    private List<String> warnings() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
