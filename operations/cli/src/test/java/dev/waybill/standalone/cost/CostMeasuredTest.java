package dev.waybill.standalone.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.journal.EntityJournal;
import dev.waybill.servicebus.embedded.journal.Settled.Outcome;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.standalone.cost.Bill.Kind;
import dev.waybill.standalone.metrics.SendMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A relay and consumers send and settle, the broker counts, and the computed bill says the same. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class CostMeasuredTest {
    private static final int MESSAGES = 300;
    private static final int LARGE = 100_000;
    private static final int SESSIONS = 10;
    private static final List<String> JOURNALS =
            List.of("orders", "events/Subscriptions/audit", "events/Subscriptions/fraud");

    @TempDir
    private Path directory;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    @Tag("long")
    void the_brokers_count_of_a_run_is_what_the_bill_says(TestDatabase database) throws Exception {
        var schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        EmbeddedServiceBus bus = closing(startBus());
        ServiceBusPublisher publisher = ServiceBusPublisher.of(() -> connection(bus));
        append(database, schema);
        closing(Relay.builder(database.dataSource())
                        .schema(schema)
                        .destination("orders")
                        .destination("events")
                        .publisher(new SendMetrics(publisher, registry, "main"))
                        .build())
                .start();
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        JOURNALS.stream().allMatch(path -> bus.journal(path).storedCount() == MESSAGES / 2));

        consume(
                database,
                schema,
                ServiceBusSource.ofQueue(() -> connection(bus), "orders").withSessions());
        consume(database, schema, subscription(bus, "audit"));
        consume(database, schema, subscription(bus, "fraud"));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> completed(JOURNALS.stream().map(bus::journal).toList()) == MESSAGES / 2 * 3);

        publisher
                .counts()
                .forEach((destination, count) -> assertThat(of(bill(), destination, Kind.SEND))
                        .as(destination)
                        .isEqualTo((double) count.operations()));
        assertThat(publisher.counts()).hasSize(2);
        new UptimeMetrics().bindTo(registry);
        assertThat(Counters.read(registry.scrape()))
                .containsOnlyKeys("orders", "events")
                .allSatisfy((name, rate) -> {
                    assertThat(rate.perSecond()).isPositive();
                    assertThat(rate.sentAgain()).isZero();
                });
        assertAgrees(bus, "orders", 1, JOURNALS.subList(0, 1));
        assertAgrees(bus, "events", 2, JOURNALS.subList(1, 3));
    }

    private static EmbeddedServiceBus startBus() {
        return EmbeddedServiceBus.builder()
                .queue("orders", queue -> queue.requiresSession())
                .topic(
                        "events",
                        topic -> topic.subscription("audit", each -> each.requiresSession())
                                .subscription("fraud", each -> each.requiresSession()))
                .start();
    }

    private static void append(TestDatabase database, SchemaName schema) {
        Outbox outbox = Outbox.builder().schema(schema).build();
        DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .transaction(tx -> outbox.append(
                        tx.dsl(),
                        IntStream.range(0, MESSAGES)
                                .mapToObj(CostMeasuredTest::message)
                                .toList()));
    }

    private <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    private void assertAgrees(EmbeddedServiceBus bus, String destination, int size, List<String> paths) {
        List<EntityJournal> journals = paths.stream().map(bus::journal).toList();
        long delivered = journals.stream()
                .mapToLong(journal -> journal.deliveries().size())
                .sum();
        assertThat(of(bill(), destination, Kind.DELIVER)).isEqualTo((double) delivered * size, within(1e-6));
        assertThat(of(bill(), destination, Kind.SETTLE)).isEqualTo((double) completed(journals), within(1e-6));
    }

    private static long completed(List<EntityJournal> journals) {
        return journals.stream()
                .flatMap(journal -> journal.settlements().stream())
                .filter(settled -> settled.outcome() == Outcome.COMPLETED)
                .count();
    }

    /** Half of the messages are small and go to the queue; the others are large and go to the topic. */
    private static OutboxMessage message(int i) {
        return OutboxMessage.to(i % 2 == 0 ? "orders" : "events")
                .session("s" + i % SESSIONS)
                .id("m" + i)
                .body(new byte[i % 2 == 0 ? 10 : LARGE], "application/octet-stream")
                .build();
    }

    private Bill bill() {
        Path load = write("""
                destination:
                  orders: { messages-per-month: %1$d, sessions: true }
                  events: { messages-per-month: %1$d, bytes: %2$d, sessions: true, subscription: { audit: {}, fraud: {} } }
                """.formatted(MESSAGES / 2, LARGE));
        return Bill.of(LoadFile.read(load, Map.of()));
    }

    private Path write(String yaml) {
        try {
            return Files.writeString(directory.resolve("load.yaml"), yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double of(Bill bill, String destination, Kind kind) {
        return bill.lines().stream()
                .filter(line -> line.destination().equals(destination) && line.kind() == kind)
                .mapToDouble(Bill.Line::operations)
                .map(operations -> Math.round(operations * 1e6) / 1e6)
                .sum();
    }

    private void consume(TestDatabase database, SchemaName schema, ServiceBusSource source) {
        closing(InboxConsumer.builder(database.dataSource())
                        .schema(schema)
                        .name(source.facts().path().replace('/', '-'))
                        .source(source)
                        .handler((tx, message) -> Verdict.done())
                        // No session is let go of: what was read ahead of one would be delivered again.
                        .concurrency(SESSIONS)
                        .tuning(tuning -> tuning.sessionIdle(Duration.ofSeconds(20)))
                        .build())
                .start();
    }

    private static ServiceBusSource subscription(EmbeddedServiceBus bus, String name) {
        return ServiceBusSource.ofSubscription(() -> connection(bus), "events", name)
                .withSessions();
    }

    private static ServiceBusClientBuilder connection(EmbeddedServiceBus bus) {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }
}
