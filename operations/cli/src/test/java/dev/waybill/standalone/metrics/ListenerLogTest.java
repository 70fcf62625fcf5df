package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@ExtendWith(PostgresExtension.class)
@Timeout(90)
class ListenerLogTest {
    @Test
    @Tag("long")
    void a_listener_that_gets_no_connection_is_not_told_as_a_database_that_cannot_be_used(
            TestDatabase database, @TempDir Path directory) throws Exception {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger("dev.waybill");
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        try (var relays = new MonitoredRelay(database, directory)) {
            relays.start("first");
            await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
            relays.dsl.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and application_name like 'waybill-relay first%'");
            relays.append("orders", "s", "m1");
            await().atMost(Duration.ofSeconds(4))
                    .until(() -> relays.bus.journal("orders").storedCount() == 1);
            await().pollDelay(Duration.ofSeconds(7)).until(() -> true);
            List<String> told = lines.list.stream()
                    .filter(l -> l.getLoggerName().endsWith("Outage"))
                    .map(l -> l.getLevel() + " " + l.getFormattedMessage())
                    .toList();
            assertThat(told).isEmpty();
        } finally {
            logger.detachAppender(lines);
        }
    }
}
