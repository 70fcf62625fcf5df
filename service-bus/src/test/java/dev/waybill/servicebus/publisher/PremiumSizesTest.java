package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Holds;
import dev.waybill.message.WireContract;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Premium takes large messages and no large batches; it answers a large batch by detaching the sender's link. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class PremiumSizesTest {
    private static final int LIMIT = 1 << 20;
    private static final int ENTITY = 6 << 20;

    /** What an entity takes after the SDK's reserve of 1 KB for each 64 KB. */
    private static final int LARGEST = ENTITY / 64 * 63 - 500;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final List<Integer> SIZES = List.of(
            10, 600_000, 600_000, LIMIT - 20_000, 10, LIMIT - 10, LIMIT + 10, 400_000, LARGEST, 10, 10, 5 << 20, 10);

    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .tier(Tier.PREMIUM)
            .queue("orders", queue -> queue.requiresSession().maxMessageBytes(ENTITY))
            .start();
    private final FaultHandle attaches =
            bus.faults().at(FaultPoint.ATTACH).operation("send").then(FaultAction.observe());
    private final FaultHandle batches = bus.faults().at(FaultPoint.BEFORE_STORE).then(FaultAction.observe());
    private final ServiceBusPublisher publisher =
            ServiceBusPublisher.of(() -> new ServiceBusClientBuilder().connectionString(bus.connectionString()));
    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private Relay relay;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        relay = Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .publisher(publisher)
                .build();
    }

    @AfterEach
    void stop() {
        relay.close();
        bus.close();
    }

    @Test
    void bodies_that_fit_into_a_batch_do_not_pass_its_limit_with_their_properties() {
        append(message("s", "under", 515_000), message("s", "limit", 515_000));
        relay.start();
        awaitAllSentOnce(2);
        assertThat(batches.events()).extracting(FaultEvent::messageIds).containsExactly(List.of("under", "limit"));

        append(messages("t", Collections.nCopies(100, LIMIT / 100)));
        awaitAllSentOnce(102);

        assertOrder("t", 100);
        assertThat(batches.hits()).isEqualTo(3);
    }

    @Test
    void messages_on_both_sides_of_the_limit_keep_their_order() {
        append(Stream.of("s", "t").flatMap(session -> messages(session, SIZES)));
        relay.start();

        awaitAllSentOnce(2 * SIZES.size());

        assertOrder("s", SIZES.size());
        assertOrder("t", SIZES.size());
    }

    /** Released messages are sent several megabytes at once. */
    @Test
    void a_released_session_that_is_larger_than_a_batch_arrives_in_order() {
        batches.cancel();
        var refusal = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .message("s0")
                .then(FaultAction.reject(BrokerError.ARGUMENT_ERROR));
        append(messages("s", SIZES));
        relay.start();
        var holds = Holds.ofOutbox(database.dataSource(), schema);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(holds.list())
                        .extracting(hold -> hold.messages())
                        .containsExactly(SIZES.size()));
        refusal.cancel();
        long before = count().messages();

        holds.list().forEach(hold -> holds.release(hold.key(), FailureCase.BY_ANNA));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(count().accepted()).isEqualTo(SIZES.size()));
        assertThat(count().messages() - before).as("none was sent twice").isEqualTo(SIZES.size());
        assertThat(attaches.events()).extracting(FaultEvent::entity).containsOnlyOnce("orders");
        assertOrder("s", SIZES.size());
    }

    @Test
    void a_message_above_the_entitys_size_is_held_and_told_that_size_not_the_one_of_batches() {
        append(message("s", "too large", ENTITY), message("t", "fits", LIMIT + 10));
        relay.start();

        var holds = Holds.ofOutbox(database.dataSource(), schema);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(holds.list())
                        .singleElement()
                        .satisfies(hold -> assertThat(hold.cause().toString()).contains("larger than the " + ENTITY)));
        awaitAllSentOnce(1);
    }

    @Test
    void a_body_goes_with_its_message_up_to_a_claim_limit_above_that_of_batches() {
        var store = ClaimStore.inPostgres(schema);
        var outbox = Outbox.builder()
                .schema(schema)
                .destination(Destination.of("orders").withMaximumBytes(ENTITY).withClaimsAbove(3 << 20))
                .claims(store)
                .build();
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                List.of(
                        message("s", "within", 3 << 20),
                        message("s", "claimed", (3 << 20) + 1),
                        message("s", "last", 10))));
        relay.start();

        awaitAllSentOnce(3);

        assertThat(bus.journal("orders").stored())
                .extracting(Stored::messageId)
                .containsExactly("within", "claimed", "last");
        assertThat(bus.journal("orders").stored())
                .extracting(stored -> stored.applicationProperties().containsKey(WireContract.CLAIM))
                .containsExactly(false, true, false);
    }

    private void append(OutboxMessage... messages) {
        append(Stream.of(messages));
    }

    private void append(Stream<OutboxMessage> messages) {
        var outbox = Outbox.builder()
                .schema(schema)
                .destination(Destination.of("orders").withMaximumBytes(100 << 20))
                .build();
        List<OutboxMessage> all = messages.toList();
        dsl.transaction(tx -> outbox.append(tx.dsl(), all));
    }

    private static Stream<OutboxMessage> messages(String session, List<Integer> sizes) {
        return IntStream.range(0, sizes.size()).mapToObj(i -> message(session, session + i, sizes.get(i)));
    }

    private static OutboxMessage message(String session, String id, int bytes) {
        return OutboxMessage.to("orders")
                .session(session)
                .id(id)
                .body(new byte[bytes], "application/octet-stream")
                .build();
    }

    /** A refused batch would be sent again in halves, and a detached link attached anew. */
    private void awaitAllSentOnce(int messages) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(bus.journal("orders").storedCount()).isEqualTo(messages));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(count().accepted()).isEqualTo(messages));
        assertThat(count().messages()).isEqualTo(messages);
        assertThat(attaches.events()).extracting(FaultEvent::entity).containsOnlyOnce("orders");
    }

    private SendCount count() {
        return Objects.requireNonNull(publisher.counts().get("orders"));
    }

    private void assertOrder(String session, int count) {
        assertThat(bus.journal("orders").stored())
                .filteredOn(stored -> session.equals(stored.sessionId()))
                .extracting(Stored::messageId)
                .containsExactlyElementsOf(
                        IntStream.range(0, count).mapToObj(i -> session + i).toList());
    }
}
