package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages that the broker itself holds back or lets expire, and messages to topics. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TimesAndTopicsTest {
    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("notes", queue -> queue.deadLetterOnExpiration())
            .queue("parted", queue -> queue.partitioned(true))
            .topic(
                    "events",
                    topic -> topic.duplicateDetection(Duration.ofMinutes(10))
                            .subscription("ledger", subscription -> subscription.requiresSession())
                            .subscription("audit"))
            .start();
    private SchemaName schema;
    private DSLContext dsl;
    private Outbox outbox;
    private Relay relay;

    @BeforeEach
    void start_a_relay(TestDatabase database) {
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder().schema(schema).build();
        relay = Relay.builder(database.dataSource())
                .schema(schema)
                .destination("notes")
                .destination("parted")
                .destination("events")
                .publisher(ServiceBusPublisher.of(this::connection))
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        relay.close();
        bus.close();
    }

    @Test
    void a_message_with_a_scheduled_enqueue_time_is_held_back_by_the_broker() {
        append(OutboxMessage.to("notes")
                .id("m1")
                .scheduledEnqueueTime(Instant.parse("2100-01-01T00:00:00Z"))
                .build());

        await().untilAsserted(() -> assertThat(bus.inspect("notes").scheduled()).isEqualTo(1));
        assertThat(bus.inspect("notes").active()).isZero();
        bus.advance(Duration.ofDays(40_000));

        assertThat(receive(queue("notes")).getMessageId()).isEqualTo("m1");
    }

    @Test
    void a_time_to_live_runs_at_the_broker() {
        append(OutboxMessage.to("notes")
                .id("m1")
                .timeToLive(Duration.ofHours(1))
                .build());

        await().untilAsserted(() -> assertThat(bus.inspect("notes").active()).isEqualTo(1));
        bus.advance(Duration.ofHours(2));

        assertThat(bus.inspect("notes").deadLetters()).isEqualTo(1);
    }

    @Test
    void a_partition_key_reaches_the_receiver() {
        append(OutboxMessage.to("parted").id("m1").partitionKey("p").build());

        assertThat(receive(queue("parted")).getPartitionKey()).isEqualTo("p");
    }

    @Test
    void a_message_waits_in_the_database_before_it_waits_at_the_broker() {
        append(OutboxMessage.to("notes")
                .id("m1")
                .notBefore(Instant.parse("2100-01-01T00:00:00Z"))
                .scheduledEnqueueTime(Instant.parse("2100-01-01T00:00:00Z"))
                .build());
        append(OutboxMessage.to("notes").id("m2").build());
        assertThat(receive(queue("notes")).getMessageId()).isEqualTo("m2");
        assertThat(bus.inspect("notes").scheduled()).isZero();

        dsl.execute("update " + schema.table("outbox_scheduled") + " set due_at = clock_timestamp()");

        await().untilAsserted(() -> assertThat(bus.inspect("notes").scheduled()).isEqualTo(1));
    }

    @Test
    @Tag("long")
    void every_subscription_of_a_topic_has_the_messages_and_a_session_its_order() {
        dsl.transaction(tx -> outbox.append(tx.dsl(), List.of(event("a", "a1"), event("b", "b1"), event("a", "a2"))));

        assertThat(receiveSession("a", 2)).containsExactly("a1", "a2");
        assertThat(receiveSession("b", 1)).containsExactly("b1");
        var audit = subscription("audit");
        assertThat(List.of(receive(audit), receive(audit), receive(audit)))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactlyInAnyOrder("a1", "a2", "b1");
    }

    private static OutboxMessage event(String session, String id) {
        return OutboxMessage.to("events").session(session).id(id).text(id).build();
    }

    private void append(OutboxMessage message) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), message));
    }

    private List<String> receiveSession(String session, int count) {
        try (var accepting = connection()
                        .sessionReceiver()
                        .topicName("events")
                        .subscriptionName("ledger")
                        .buildClient();
                var receiver = accepting.acceptSession(session)) {
            var ids = new ArrayList<String>();
            while (ids.size() < count) {
                ids.add(receive(receiver).getMessageId());
            }
            return ids;
        }
    }

    private ServiceBusReceiverClient queue(String name) {
        return connection().receiver().queueName(name).buildClient();
    }

    private ServiceBusReceiverClient subscription(String name) {
        return connection()
                .receiver()
                .topicName("events")
                .subscriptionName(name)
                .buildClient();
    }

    private static ServiceBusReceivedMessage receive(ServiceBusReceiverClient receiver) {
        var message = receiver.receiveMessages(1, Duration.ofSeconds(20)).stream()
                .findFirst()
                .orElseThrow();
        receiver.complete(message);
        return message;
    }

    private ServiceBusClientBuilder connection() {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }
}
