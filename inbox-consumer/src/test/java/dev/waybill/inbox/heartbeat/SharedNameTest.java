package dev.waybill.inbox.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.InboxFixture;
import dev.waybill.inbox.connect.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Two entities under one name of a consumer: either one may handle what the other one has held. */
@ExtendWith(PostgresExtension.class)
class SharedNameTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(ConsumerHeartbeat.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
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
    void a_consumer_that_finds_its_name_at_another_entity_warns_once_until_that_changes() throws SQLException {
        ConsumerHeartbeat orders = instance("shop", "orders");
        orders.beat();
        ConsumerHeartbeat bills = instance("shop", "bills");

        bills.beat();
        assertThat(warnings()).singleElement().asString().contains("'shop'", "'bills'", "[orders]", "held messages");
        bills.beat();
        assertThat(warnings()).hasSize(1);

        orders.beat();
        assertThat(warnings()).hasSize(2);
        bills.leave();
        orders.beat();
        bills.beat();
        orders.beat();
        assertThat(warnings()).as("it has come back").hasSize(3);
    }

    @Test
    void instances_of_one_entity_and_consumers_of_other_names_are_told_nothing() throws SQLException {
        instance("shop", "orders").beat();
        instance("shop", "Orders").beat();
        instance("mail", "bills").beat();

        assertThat(warnings()).isEmpty();
    }

    private ConsumerHeartbeat instance(String name, String entity) {
        return new ConsumerHeartbeat(
                new Database(inbox.dataSource), inbox.schema, name, entity, Duration.ofMinutes(10));
    }

    private List<String> warnings() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
