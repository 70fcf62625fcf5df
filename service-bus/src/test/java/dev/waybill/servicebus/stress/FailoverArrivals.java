package dev.waybill.servicebus.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The messages that have arrived, compared with those in the database that survives. */
final class FailoverArrivals {
    private static final String WRITERS_SESSIONS =
            "select count(*) from pg_stat_activity where application_name = '" + FailoverWriters.APPLICATION + "'";

    private final EmbeddedServiceBus bus;
    private final ServerPair servers;
    private Map<String, List<String>> truth = Map.of();

    FailoverArrivals(EmbeddedServiceBus bus, ServerPair servers) {
        this.bus = bus;
        this.servers = servers;
    }

    /** Reads what is committed, now that nothing is any more, and waits until it has arrived and none of it waits. */
    void awaitAll() throws SQLException {
        PostgresNode primary = servers.primary();
        await("the end of the writers' sessions")
                .atMost(Duration.ofMinutes(1))
                .until(() -> primary.value(WRITERS_SESSIONS).equals("0"));
        truth = read(primary);
        var ids = truth.values().stream().flatMap(List::stream).collect(Collectors.toSet());
        await().pollInterval(Duration.ofMillis(250))
                .atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(missing(ids)).as("lost").isEmpty());
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(
                        () -> assertThat(primary.value("select coalesce(sum(pending), 0) from waybill.outbox_backlog"))
                                .as("messages that still wait")
                                .isEqualTo("0"));
        assertThat(primary.value("select count(*) from waybill.outbox_hold"))
                .as("holds without a refused message")
                .isEqualTo("0");
    }

    /** In each session: messages whose transactions were lost with a primary may have arrived and do not count. */
    void assertInOrder() {
        var surviving = truth.values().stream().flatMap(List::stream).collect(Collectors.toSet());
        var arrived = new HashMap<String, List<String>>();
        for (Stored stored : bus.journal(FailoverStressTest.DESTINATION).stored()) {
            if (surviving.contains(stored.messageId())) {
                arrived.computeIfAbsent(stored.sessionId(), session -> new ArrayList<>())
                        .add(stored.messageId());
            }
        }
        truth.forEach((session, ids) ->
                assertThat(arrived.get(session)).as("session " + session).isEqualTo(ids));
        assertThat(arrived.keySet()).isEqualTo(truth.keySet());
        assertThat(bus.journal(FailoverStressTest.DESTINATION).forgotten())
                .as("forgotten records")
                .isZero();
    }

    String summary() {
        int surviving = truth.values().stream().mapToInt(List::size).sum();
        int stored = bus.journal(FailoverStressTest.DESTINATION).storedCount();
        return surviving + " survive, " + (stored - surviving) + " arrived whose rows were lost, "
                + bus.journal(FailoverStressTest.DESTINATION).duplicates().size() + " repeats dropped";
    }

    private List<String> missing(Set<String> ids) {
        var arrived = arrived();
        return ids.stream().filter(id -> !arrived.contains(id)).sorted().toList();
    }

    private Set<String> arrived() {
        return bus.journal(FailoverStressTest.DESTINATION).stored().stream()
                .map(Stored::messageId)
                .map(Objects::requireNonNull)
                .collect(Collectors.toSet());
    }

    private static Map<String, List<String>> read(PostgresNode server) throws SQLException {
        try (var connection = server.connect()) {
            return Writer.committedOrder(DSL.using(connection, SQLDialect.POSTGRES), ServerPair.TRUTH);
        }
    }
}
