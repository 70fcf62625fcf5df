package dev.waybill.servicebus.publisher;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayToServiceBusTest {
    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
            .queue("notes", queue -> queue)
            .start();
    private final List<Relay> relays = new ArrayList<>();
    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private Outbox outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder().schema(schema).build();
    }

    @AfterEach
    void stop() {
        relays.forEach(Relay::close);
        bus.close();
    }

    @Test
    void every_session_arrives_in_commit_order_under_its_own_ids() {
        startRelay();
        for (int i = 0; i < 200; i++) {
            append("s" + i % 10, "m" + i);
        }

        awaitStored("orders", 200);

        Map<String, List<String>> arrived = bus.journal("orders").stored().stream()
                .collect(groupingBy(Stored::sessionId, mapping(Stored::messageId, toList())));
        assertThat(arrived).hasSize(10);
        arrived.forEach((session, ids) -> assertThat(ids)
                .containsExactlyElementsOf(IntStream.range(0, 200)
                        .filter(i -> session.equals("s" + i % 10))
                        .mapToObj(i -> "m" + i)
                        .toList()));
    }

    @Test
    void more_than_a_batch_holds_is_sent_as_several_batches_in_order() {
        String body = "x".repeat(50_000);
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                IntStream.range(0, 40)
                        .mapToObj(i -> OutboxMessage.to("orders")
                                .session("s")
                                .id("m" + i)
                                .text(body)
                                .build())
                        .toList()));
        startRelay();

        awaitStored("orders", 40);

        assertThat(bus.journal("orders").stored())
                .extracting(Stored::messageId)
                .containsExactlyElementsOf(
                        IntStream.range(0, 40).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void every_property_reaches_a_receiver_with_its_type() {
        var uuid = UUID.randomUUID();
        var time = Instant.parse("2026-01-02T03:04:05.678Z");
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("notes")
                        .id("m1")
                        .subject("Subject")
                        .correlationId("correlation")
                        .toAddress("to")
                        .replyTo("reply")
                        .replyToSession("reply-session")
                        .timeToLive(Duration.ofHours(1))
                        .header("text", "ü")
                        .header("long", 7L)
                        .header("double", 1.5)
                        .header("boolean", true)
                        .header("time", time)
                        .header("uuid", uuid)
                        .body(new byte[] {0, 1, (byte) 255}, "application/octet-stream")
                        .build()));
        startRelay();

        ServiceBusReceivedMessage message = receiveOne("notes");

        assertThat(message.getMessageId()).isEqualTo("m1");
        assertThat(message.getSubject()).isEqualTo("Subject");
        assertThat(message.getCorrelationId()).isEqualTo("correlation");
        assertThat(message.getTo()).isEqualTo("to");
        assertThat(message.getReplyTo()).isEqualTo("reply");
        assertThat(message.getReplyToSessionId()).isEqualTo("reply-session");
        assertThat(message.getTimeToLive()).isEqualTo(Duration.ofHours(1));
        assertThat(message.getContentType()).isEqualTo("application/octet-stream");
        assertThat(message.getBody().toBytes()).containsExactly(0, 1, 255);
        assertThat(message.getApplicationProperties())
                .containsEntry("waybill-id", "m1")
                .containsEntry("text", "ü")
                .containsEntry("long", 7L)
                .containsEntry("double", 1.5)
                .containsEntry("boolean", true)
                .containsEntry("time", Date.from(time))
                .containsEntry("uuid", uuid);
    }

    @Test
    void an_acknowledgement_that_is_lost_leads_to_a_repeat_that_the_broker_drops() {
        var lost = bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .entity("orders")
                .times(1)
                .then(FaultAction.dropConnection());
        startRelay();
        append("s", "m1");
        append("s", "m2");

        await().untilAsserted(
                        () -> assertThat(bus.journal("orders").duplicates()).isNotEmpty());
        awaitStored("orders", 2);

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(bus.journal("orders").stored()).extracting(Stored::messageId).containsExactly("m1", "m2");
    }

    @Test
    @Tag("long")
    void an_acknowledgement_that_never_comes_ends_with_the_senders_own_deadline() {
        bus.faults().at(FaultPoint.STORED_BEFORE_ACK).entity("orders").times(1).then(FaultAction.swallow());
        startRelay();
        append("s", "m1");

        await().untilAsserted(
                        () -> assertThat(bus.journal("orders").duplicates()).hasSize(1));

        assertThat(bus.journal("orders").stored()).hasSize(1);
    }

    @Test
    @Tag("long")
    void a_throttled_send_is_repeated_until_it_is_taken_and_nothing_overtakes_it() {
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .times(3)
                .then(FaultAction.reject(BrokerError.SERVER_BUSY));
        startRelay();
        append("s", "m1");
        append("s", "m2");

        awaitStored("orders", 2);

        assertThat(bus.journal("orders").stored()).extracting(Stored::messageId).containsExactly("m1", "m2");
    }

    @Test
    @Tag("long")
    void a_dead_destination_delays_no_other() {
        bus.faults().at(FaultPoint.BEFORE_STORE).entity("orders").then(FaultAction.swallow());
        startRelay();
        append("s", "stuck");
        await().until(() -> bus.connectionCount() > 0);

        dsl.transaction(tx ->
                outbox.append(tx.dsl(), OutboxMessage.to("notes").id("free").build()));

        awaitStored("notes", 1);
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void a_stopped_relay_has_settled_what_it_sent_and_the_next_one_goes_on_at_once() {
        startRelay();
        append("s", "m1");
        awaitStored("orders", 1);
        relays.remove(0).close();
        append("s", "m2");

        startRelay();
        awaitStored("orders", 2);

        assertThat(bus.journal("orders").duplicates()).isEmpty();
    }

    @Test
    void the_broker_may_be_away_when_the_relay_starts_and_while_it_runs() {
        startRelay();
        append("s", "m1");
        awaitStored("orders", 1);
        bus.dropConnections();
        append("s", "m2");

        awaitStored("orders", 2);

        assertThat(bus.journal("orders").stored()).extracting(Stored::messageId).containsExactly("m1", "m2");
    }

    @Test
    void a_publisher_that_was_prepared_has_its_link_before_the_first_message() {
        var publisher =
                ServiceBusPublisher.of(() -> new ServiceBusClientBuilder().connectionString(bus.connectionString()));
        publisher.prepare("orders").toCompletableFuture().join();
        bus.faults().at(FaultPoint.ATTACH).entity("orders").then(FaultAction.swallow());
        relays.add(Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .publisher(publisher)
                .build()
                .start());

        append("s", "m1");

        awaitStored("orders", 1);
    }

    @Test
    void a_relay_whose_credentials_have_hung_once_sends_once_they_answer() {
        var hangs = new AtomicBoolean(true);
        var end = new CountDownLatch(1);
        var publisher = ServiceBusPublisher.of(() -> {
                    if (hangs.getAndSet(false)) {
                        awaitEnd(end);
                    }
                    return new ServiceBusClientBuilder().connectionString(bus.connectionString());
                })
                .withSendDeadline(Duration.ofSeconds(1));
        for (int i = 0; i < 20; i++) {
            append("s" + i % 2, "m" + i);
        }

        relays.add(Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .publisher(publisher)
                .build()
                .start());

        awaitStored("orders", 20);
        end.countDown();
        assertThat(bus.journal("orders").stored())
                .extracting(Stored::messageId)
                .filteredOn(id -> Integer.parseInt(id.substring(1)) % 2 == 0)
                .isSortedAccordingTo(Comparator.comparing(id -> Integer.valueOf(id.substring(1))));
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void startRelay() {
        var publisher = ServiceBusPublisher.of(
                        () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()))
                .withSendDeadline(Duration.ofSeconds(2));
        relays.add(Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .destination("notes")
                .publisher(publisher)
                .build()
                .start());
    }

    private void append(String session, String id) {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("orders").session(session).id(id).text(id).build()));
    }

    private void awaitStored(String entity, int count) {
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(bus.journal(entity).storedCount()).isEqualTo(count));
    }

    private ServiceBusReceivedMessage receiveOne(String queue) {
        try (var receiver = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .receiver()
                .queueName(queue)
                .buildClient()) {
            var message = receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                    .findFirst()
                    .orElseThrow();
            receiver.complete(message);
            return message;
        }
    }
}
