package dev.waybill.servicebus.publisher;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Destinations;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An outbox with three destinations, and a broker whose errors a test chooses. Most of its time is waiting: tests run side by side. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(PostgresExtension.class)
@Timeout(value = 90, unit = TimeUnit.SECONDS)
abstract class FailureCase {
    static {
        // A loaded machine is slow, not wrong.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    static final AuditContext BY_ANNA = new AuditContext("anna", "test");

    final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
            .queue("small", queue -> queue.maxMessageBytes(10_000))
            // A send that is late on a loaded machine is repeated, and dropped.
            .queue("large", queue -> queue.maxMessageBytes(1_000_000).duplicateDetection(Duration.ofMinutes(10)))
            .faultSeed(4711)
            .start();
    TestDatabase database;
    SchemaName schema;
    DSLContext dsl;
    Outbox outbox;
    Holds holds;
    Destinations destinations;
    private final List<Relay> relays = new ArrayList<>();

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder()
                .schema(schema)
                .destination(Destination.of("orders"))
                .destination(Destination.of("small"))
                .destination(Destination.of("large").withMaximumBytes(1_000_000))
                .build();
        holds = Holds.ofOutbox(database.dataSource(), schema);
        destinations = Destinations.of(database.dataSource(), schema);
    }

    @AfterEach
    void stop() {
        relays.forEach(Relay::close);
        bus.close();
    }

    void startRelay() {
        startRelay(ServiceBusPublisher.of(() -> new ServiceBusClientBuilder().connectionString(bus.connectionString()))
                .withSendDeadline(Duration.ofSeconds(2)));
    }

    void startRelay(Publisher publisher) {
        relays.add(Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .destination("small")
                .destination("large")
                .publisher(publisher)
                .build()
                .start());
    }

    Map<String, List<String>> load(int messages) {
        var expected = new HashMap<String, List<String>>();
        for (int i = 0; i < messages; i++) {
            String session = "s" + i % 20;
            append("orders", session, "m" + i);
            expected.computeIfAbsent(session, first -> new ArrayList<>()).add("m" + i);
        }
        return expected;
    }

    void append(String destination, @Nullable String session, String id) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), message(destination, session, id)));
    }

    static OutboxMessage message(String destination, @Nullable String session, String id) {
        var builder = OutboxMessage.to(destination).id(id).text(id);
        return (session == null ? builder : builder.session(session)).build();
    }

    void insert(String id, String session, @Nullable String partitionKey, String headers) {
        dsl.execute(
                "insert into " + schema.table("outbox_message")
                        + " (destination, session_id, partition_key, message_id, headers, payload)"
                        + " values ('orders', {0}, {1}, {2}, {3}::jsonb, '')",
                DSL.val(session),
                DSL.val(partitionKey),
                DSL.val(id),
                DSL.val(headers));
    }

    Map<String, List<String>> arrived(String entity) {
        return bus.journal(entity).stored().stream()
                .collect(groupingBy(Stored::sessionId, mapping(Stored::messageId, toList())));
    }

    List<String> heldIds() {
        return holds.list().stream()
                .flatMap(hold -> holds.messages(hold.key(), 100).stream())
                .map(message -> message.content().messageId())
                .toList();
    }

    void append(String id, int subjectLength, int bytes) {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("orders")
                        .session("s")
                        .id(id)
                        .subject("x".repeat(subjectLength))
                        .body(new byte[bytes], "application/octet-stream")
                        .build()));
    }

    void loseConnectionsWhileLinksOpen(String entity) {
        bus.faults().at(FaultPoint.ATTACH).entity(entity).times(6).then(FaultAction.dropConnection());
    }

    void awaitNoneHeldAndStored(String entity, int count) {
        await().failFast("a message is held", () -> !heldIds().isEmpty())
                .untilAsserted(
                        () -> assertThat(bus.journal(entity).storedCount()).isEqualTo(count));
    }

    void awaitStored(String entity, int count) {
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(bus.journal(entity).storedCount()).isEqualTo(count));
    }
}
