package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The lines of the log at the start of a process. */
class StartFactsTest {
    private static final Map<String, String> FLAGS = Map.of(
            "database.main.url", "jdbc:postgresql://db/app",
            "namespace.main.host", "main.servicebus.windows.net",
            "destination.orders.sessions", "true");

    @Test
    void variables_that_kubernetes_has_set_are_told_of_in_one_line() {
        assertThat(told(Map.of(
                        "WAYBILL_HTTP_PORT", "tcp://10.0.0.1:8080",
                        "WAYBILL_HTTP_SERVICE_HOST", "10.0.0.1",
                        "WAYBILL_HTTP_SERVICE_PORT", "8080")))
                .filteredOn(line -> line.contains("Kubernetes"))
                .singleElement()
                .asString()
                .contains("are ignored", "WAYBILL_HTTP_PORT, WAYBILL_HTTP_SERVICE_HOST, ", "enableServiceLinks: false");
        assertThat(told(Map.of("WAYBILL_HTTP_PORT", "9090"))).noneMatch(line -> line.contains("Kubernetes"));
    }

    private static Iterable<String> told(Map<String, String> variables) {
        Logger logger = (Logger) LoggerFactory.getLogger(RelayService.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        logger.addAppender(lines);
        try {
            StartFacts.tell(Configuration.of(new Sources(FLAGS, Map.of(), variables, Optional.empty())));
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
