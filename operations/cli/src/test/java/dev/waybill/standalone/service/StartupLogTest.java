package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.servicebus.Bus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** The lines of the log at the start of a process. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class StartupLogTest {
    private static final Map<String, String> FLAGS = Map.of(
            "database.main.url", "jdbc:postgresql://db/app",
            "namespace.main.host", "main.servicebus.windows.net",
            "destination.orders.sessions", "true");

    /** Threads of other tests may still log something. */
    private static final Set<String> OF_A_START = Set.of(
            RelayService.class.getName(),
            DatabaseRelay.class.getName(),
            Bus.class.getName(),
            "dev.waybill.relay.loop.Ownership");

    @AfterEach
    void forgetTheIdentity() {
        identity(false);
    }

    // The SDK keeps the environment from its start; no other call changes what it knows.
    @SuppressWarnings("deprecation")
    private static void identity(boolean given) {
        var known = com.azure.core.util.Configuration.getGlobalConfiguration();
        for (String name : List.of("AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_FEDERATED_TOKEN_FILE")) {
            if (given) {
                known.put(name, "none");
            } else {
                known.remove(name);
            }
        }
    }

    @Test
    void variables_that_kubernetes_has_set_are_told_of_in_one_line() {
        assertThat(told(Map.of(
                        "WAYBILL_HTTP_PORT", "tcp://10.0.0.1:8080",
                        "WAYBILL_HTTP_SERVICE_HOST", "10.0.0.1",
                        "WAYBILL_HTTP_SERVICE_PORT", "8080")))
                .filteredOn(line -> line.contains("Kubernetes"))
                .singleElement()
                .asString()
                .contains(
                        "Ignored environment variables",
                        "WAYBILL_HTTP_PORT, WAYBILL_HTTP_SERVICE_HOST, ",
                        "enableServiceLinks: false");
        assertThat(told(Map.of("WAYBILL_HTTP_PORT", "9090"))).noneMatch(line -> line.contains("Kubernetes"));
    }

    @Test
    void a_pod_without_the_variables_of_its_workload_identity_is_refused() {
        var flags = new HashMap<>(FLAGS);
        flags.put("namespace.main.credential", "workload-identity");

        assertThatThrownBy(() -> RelayService.start(
                        Configuration.of(new Sources(flags, Map.of(), Map.of(), Optional.empty())), sends -> sends))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "namespace.main.credential", "AZURE_CLIENT_ID, AZURE_TENANT_ID, AZURE_FEDERATED_TOKEN_FILE");
    }

    @Test
    void the_page_shows_the_lines_of_a_start(TestDatabase database) throws Exception {
        Program.tables(database);
        var flags = new HashMap<>(FLAGS);
        flags.putAll(Map.of(
                "instance", "one",
                "http.port", "0",
                "relay.send-deadline", "1s",
                "database.main.url", database.server().jdbcUrl(),
                "database.main.user", "postgres",
                "database.main.schema", database.schema(),
                "namespace.main.host", "shop.servicebus.windows.net",
                "namespace.main.credential", "workload-identity"));
        String page = Files.readString(Path.of("../../docs/operations/log.md"));
        String shown = page.substring(page.indexOf("waybill-relay 0.9.0 starts"));
        identity(true);

        assertThat(linesOfStart(Configuration.of(new Sources(flags, Map.of(), Map.of(), Optional.empty()))))
                .containsExactlyInAnyOrderElementsOf(shown.substring(0, shown.indexOf("```"))
                        .lines()
                        .map(StartupLogTest::masked)
                        .toList());
    }

    private static List<String> linesOfStart(Configuration configuration) {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill");
        var lines = new ListAppender<ILoggingEvent>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.addAppender(lines);
        RelayService relay = RelayService.start(configuration, sends -> sends);
        try {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> lines.list.stream()
                                    .filter(line -> line.getFormattedMessage()
                                            .matches("Relay of .* started,.*|.* is published by .*"))
                                    .count()
                            == 2);
        } finally {
            logger.detachAppender(lines);
            relay.stop();
        }
        return lines.list.stream()
                .filter(line ->
                        line.getLevel().isGreaterOrEqual(Level.INFO) && OF_A_START.contains(line.getLoggerName()))
                .map(line -> masked(line.getFormattedMessage()))
                .toList();
    }

    // The machine, the test's database, a free port, and a deadline that the test need not wait for.
    private static String masked(String line) {
        return line.replaceAll("process \\d+, Java \\S+ of .*, \\d+ processors, heap of \\d+ MiB", "MACHINE")
                .replaceAll(" at [^ ]+:\\d+, schema '\\w+', user '\\w+',", " DATABASE,")
                .replaceAll(" schema '\\w+'", " SCHEMA")
                .replaceAll("a send at most \\d+ s", "SEND")
                .replaceAll("metrics on [0-9.]+:\\d+", "PORT");
    }

    private static Iterable<String> told(Map<String, String> variables) {
        Logger logger = (Logger) LoggerFactory.getLogger(RelayService.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        logger.addAppender(lines);
        try {
            StartupLog.tell(Configuration.of(new Sources(FLAGS, Map.of(), variables, Optional.empty())));
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
