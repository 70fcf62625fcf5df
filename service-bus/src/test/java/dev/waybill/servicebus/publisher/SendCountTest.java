package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SendCountTest {
    private final EmbeddedServiceBus bus =
            EmbeddedServiceBus.builder().queue("notes", queue -> queue).start();
    private final ServiceBusPublisher publisher =
            ServiceBusPublisher.of(() -> new ServiceBusClientBuilder().connectionString(bus.connectionString()));
    private TestDatabase database;
    private SchemaName schema;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
    }

    @AfterEach
    void stop() {
        bus.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "65536, 1", "65537, 2", "98304, 2", "131072, 2", "262144, 4"})
    void a_message_is_an_operation_for_each_64_kilobytes_begun(long bytes, long operations) {
        assertThat(SendMeter.operationsOf(bytes)).isEqualTo(operations);
    }

    @Test
    void a_batch_counts_by_its_messages_and_large_messages_by_their_size() {
        publish(3, "x");
        var small = count();
        assertThat(small.messages()).isEqualTo(3);
        assertThat(small.accepted()).isEqualTo(3);
        assertThat(small.operations()).isEqualTo(3);
        assertThat(small.operationsPerMessage()).isEqualTo(1.0);
        assertThat(small.bytes()).isBetween(300L, 3_000L);
    }

    @Test
    void a_message_of_96_kilobytes_counts_as_two() {
        publish(1, "x".repeat(96 * 1024));

        var count = count();
        assertThat(count.operations()).isEqualTo(2);
        assertThat(count.bytes()).isBetween(96L * 1024, 97L * 1024);
    }

    @Test
    void a_repeat_counts_again() {
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("notes")
                .times(1)
                .then(FaultAction.reject(BrokerError.SERVER_BUSY));
        publish(1, "x");

        var count = count();
        assertThat(count.sends()).isEqualTo(2);
        assertThat(count.accepted()).isEqualTo(1);
        assertThat(count.operationsPerMessage()).isEqualTo(2.0);
        assertThat(count.messagesPerSend()).isEqualTo(1.0);
    }

    @Test
    void a_batch_takes_no_more_messages_than_it_is_limited_to() {
        var batches = bus.faults().at(FaultPoint.BEFORE_STORE).entity("notes").then(FaultAction.observe());
        publish(publisher.withBatchLimit(3), 7, "x");

        assertThat(batches.events())
                .extracting(event -> event.messageIds().size())
                .containsExactly(3, 3, 1);
    }

    @Test
    void a_batch_without_room_for_a_message_is_refused() {
        assertThatThrownBy(() -> publisher.withBatchLimit(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT24H0.001S", "PT2628000H"})
    void a_deadline_within_which_nothing_can_be_sent_or_that_no_clock_reaches_is_refused(Duration deadline) {
        assertThatThrownBy(() -> publisher.withSendDeadline(deadline))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The deadline of a send is more than zero and at most 1 day, not " + deadline);
    }

    @Test
    void nothing_is_counted_before_the_first_send() {
        assertThat(publisher.counts()).isEmpty();
        assertThat(new SendCount(0, 0, 0, 0, 0).operationsPerMessage()).isZero();
    }

    private SendCount count() {
        return publisher.counts().getOrDefault("notes", new SendCount(0, 0, 0, 0, 0));
    }

    private void publish(int count, String text) {
        publish(publisher, count, text);
    }

    private void publish(ServiceBusPublisher through, int count, String text) {
        var outbox = Outbox.builder().schema(schema).build();
        List<OutboxMessage> messages = java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> OutboxMessage.to("notes")
                        .session("s")
                        .id("m" + i)
                        .text(text)
                        .build())
                .toList();
        DSL.using(database.dataSource(), SQLDialect.POSTGRES).transaction(tx -> outbox.append(tx.dsl(), messages));
        try (var relay = Relay.builder(database.dataSource())
                .schema(schema)
                .destination("notes")
                .publisher(through)
                .build()) {
            relay.start();
            await().atMost(30, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(through.counts()
                                    .getOrDefault("notes", new SendCount(0, 0, 0, 0, 0))
                                    .accepted())
                            .isEqualTo(count));
        }
    }
}
