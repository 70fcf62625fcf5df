package dev.waybill.relay.servicebus;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Holds;
import dev.waybill.message.WireContract;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Destinations;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each error of the broker leads to: nobody who is innocent is held, and nothing is lost or overtaken. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class FailurePoliciesTest {
    private static final AuditContext BY_ANNA = new AuditContext("anna", "test");

    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
            .queue("small", queue -> queue.maxMessageBytes(10_000))
            .queue("large", queue -> queue.maxMessageBytes(1_000_000))
            .faultSeed(4711)
            .start();
    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private Outbox outbox;
    private Holds holds;
    private Destinations destinations;
    private final List<Relay> relays = new ArrayList<>();

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), 0)));
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

    @ParameterizedTest
    @EnumSource(
            value = BrokerError.class,
            names = {"MESSAGE_SIZE_EXCEEDED", "NOT_ALLOWED", "INVALID_FIELD", "ARGUMENT_ERROR", "ARGUMENT_OUT_OF_RANGE"
            })
    void a_refused_message_is_found_in_its_batch_and_held_alone(BrokerError error) {
        for (int i = 0; i < 40; i++) {
            append("orders", "s" + i, "m" + i);
        }
        for (String culprit : List.of("m7", "m23")) {
            bus.faults()
                    .at(FaultPoint.BEFORE_STORE)
                    .entity("orders")
                    .message(culprit)
                    .then(FaultAction.reject(error));
        }
        startRelay();

        awaitStored("orders", 38);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactlyInAnyOrder("m7", "m23"));
        assertThat(holds.list())
                .extracting(hold -> hold.cause().reason())
                .as("both of one reason, by which they are found again")
                .doesNotContain("ServiceBusException")
                .matches(reasons -> Set.copyOf(reasons).size() == 1);
        assertThat(destinations.refused()).isEmpty();
    }

    @Test
    void a_refused_batch_of_one_bucket_is_halved_until_the_culprits_stand_alone() {
        List<String> sessions = dsl.fetch("""
                        select 's' || n as session from generate_series(1, 10000) n
                        where hashtextextended(('s' || n) collate "C", 0) & 31 = 7 order by n limit 50
                        """).getValues("session", String.class);
        for (String session : sessions) {
            append("orders", session, "of " + session);
        }
        var culprits = List.of(
                "of " + sessions.get(0), "of " + sessions.get(20), "of " + sessions.get(21), "of " + sessions.get(49));
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .when(event -> event.messageIds().stream().anyMatch(culprits::contains))
                .then(FaultAction.reject(BrokerError.MESSAGE_SIZE_EXCEEDED));
        startRelay();

        awaitStored("orders", 46);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactlyInAnyOrderElementsOf(culprits));
    }

    @Test
    void a_connection_that_is_lost_while_its_link_opens_puts_the_blame_on_no_message() {
        loseConnectionsWhileLinksOpen("orders");
        for (int i = 0; i < 40; i++) {
            append("orders", "s" + i, "m" + i);
        }
        startRelay();

        awaitNoneHeldAndStored("orders", 40);
    }

    @Test
    void a_connection_that_is_lost_while_its_link_opens_makes_no_message_too_large() {
        loseConnectionsWhileLinksOpen("large");
        for (int i = 0; i < 10; i++) {
            String id = "m" + i;
            dsl.transaction(tx -> outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("large").id(id).text("x".repeat(400_000)).build()));
        }
        startRelay();

        awaitNoneHeldAndStored("large", 10);
    }

    @Test
    void properties_that_are_longer_than_the_sdk_reckons_arrive_and_stop_nobody_else() {
        append("orders", "s", "before");
        dsl.transaction(tx -> {
            outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("orders")
                            .session("s")
                            .id("standard")
                            .subject("x".repeat(10_000))
                            .correlationId("\u00e9".repeat(128))
                            .build());
            outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("orders")
                            .session("s")
                            .id("application")
                            .header("why", "\u4e2d".repeat(5_000))
                            .build());
        });
        append("orders", "s", "after");
        startRelay();

        awaitNoneHeldAndStored("orders", 4);

        assertThat(arrived("orders")).containsEntry("s", List.of("before", "standard", "application", "after"));
    }

    @Test
    void what_the_outbox_takes_can_be_sent() {
        assertThatThrownBy(() -> append("too large", 10, 257_600)).hasMessageContaining("too large");
        assertThatThrownBy(() -> append("too large", 20_000, 217_900)).hasMessageContaining("too large");
        append("just fits", 10, 257_400);
        append("just fits with its padding", 20_000, 217_600);
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("orders")
                        .session("s")
                        .id("lives long")
                        .timeToLive(WireContract.LONGEST_TIME_TO_LIVE)
                        .build()));
        startRelay();

        awaitNoneHeldAndStored("orders", 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'text'",
                "''",
                "7",
                "true",
                "{'double': 0.5}",
                "{'int': 7}",
                "{'short': 7}",
                "{'byte': 7}",
                "{'float': 0.5}",
                "{'char': 'c'}",
                "{'binary': 'AAEC'}",
                "{'ubyte': '255'}",
                "{'ushort': '65535'}",
                "{'uint': '4294967295'}",
                "{'ulong': '18446744073709551615'}",
                "{'decimal32': 'f8000001'}",
                "{'decimal64': 'f800000000000001'}",
                "{'decimal128': '8c3c00000000000000000000000007cf'}",
                "{'uuid': '00000000-0000-0000-0000-000000000001'}",
                "{'timestamp': '2026-01-02T03:04:05Z'}",
                "{'offset-time': '2026-01-02T03:04:05+01:00'}",
                "{'duration': 'PT1S'}",
                "{'uri': 'urn:a'}"
            })
    void however_many_properties_it_has_a_message_arrives(String value) {
        for (int count = 0; count <= 400; count += 40) {
            String headers = IntStream.range(0, count)
                    .mapToObj(i -> "'" + i + "': " + value)
                    .collect(Collectors.joining(", ", "{", "}"));
            insert("m" + count, "s" + count, null, headers.replace('\'', '"'));
        }
        startRelay();

        awaitNoneHeldAndStored("orders", 11);
    }

    @ParameterizedTest
    @EnumSource(
            value = BrokerError.class,
            names = {"NOT_FOUND", "UNAUTHORIZED", "ENTITY_DISABLED", "RESOURCE_LIMIT_EXCEEDED"})
    void a_destination_that_refuses_everything_is_told_to_the_operator_and_nothing_is_held(BrokerError error) {
        var refusal = bus.faults().at(FaultPoint.BEFORE_STORE).entity("orders").then(FaultAction.reject(error));
        startRelay();
        append("orders", "s", "m1");
        append("orders", "s", "m2");

        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(destinations.refused()).containsOnlyKeys("orders"));
        append("small", "s", "free");
        awaitStored("small", 1);
        refusal.cancel();
        awaitStored("orders", 2);

        assertThat(arrived("orders")).containsEntry("s", List.of("m1", "m2"));
        await().untilAsserted(() -> assertThat(destinations.refused()).isEmpty());
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_destination_that_is_deleted_and_made_again_gets_what_has_waited() {
        startRelay();
        append("orders", "s", "m1");
        awaitStored("orders", 1);
        bus.delete("orders");
        append("orders", "s", "m2");
        append("orders", "s", "m3");
        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(destinations.refused()).containsOnlyKeys("orders"));

        bus.createQueue("orders", queue -> queue.requiresSession());

        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(bus.inspect("orders").active()).isEqualTo(2));
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_refused_attach_blames_the_destination_and_no_message() {
        var refusal =
                bus.faults().at(FaultPoint.ATTACH).entity("orders").then(FaultAction.reject(BrokerError.NOT_ALLOWED));
        startRelay();
        append("orders", "s", "m1");

        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(destinations.refused()).containsOnlyKeys("orders"));
        assertThat(holds.list()).isEmpty();
        refusal.cancel();

        awaitStored("orders", 1);
    }

    @Test
    void a_row_that_the_destination_is_too_small_for_is_held_and_its_neighbours_are_not() {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                List.of(
                        message("small", null, "before"),
                        OutboxMessage.to("small")
                                .id("large")
                                .text("x".repeat(50_000))
                                .build(),
                        message("small", null, "after"))));
        startRelay();

        awaitStored("small", 2);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactly("large"));
    }

    @Test
    void rows_that_cannot_be_made_into_messages_are_held_and_mended_by_an_edit() {
        insert("unknown type", "s1", "s1", "{\"x\": {\"unknown\": \"1\"}}");
        insert("fraction", "s2", "s2", "{\"x\": 1.5}");
        insert("too much", "s5", "s5", "{\"x\": {\"ubyte\": \"256\"}}");
        insert("other partition key", "s3", "other", "{}");
        insert("fine", "s4", "s4", "{}");
        startRelay();
        awaitStored("orders", 1);
        await().untilAsserted(() -> assertThat(heldIds())
                .containsExactlyInAnyOrder("unknown type", "fraction", "too much", "other partition key"));
        var broken = holds.list().stream()
                .filter(hold -> "s2".equals(hold.key().session()))
                .findFirst()
                .orElseThrow();
        HeldMessage message = holds.messages(broken.key(), 1).get(0);

        holds.edit(broken.key(), message.place(), content -> content.withProperties(Map.of("x", 1.5)), BY_ANNA);
        holds.release(broken.key(), BY_ANNA);

        awaitStored("orders", 2);
        await().untilAsserted(() ->
                assertThat(heldIds()).containsExactlyInAnyOrder("unknown type", "too much", "other partition key"));
    }

    @Test
    void a_message_without_the_session_that_its_queue_requires_is_held_alone() {
        append("orders", null, "without");
        append("orders", "s", "with");
        startRelay();

        awaitStored("orders", 1);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactly("without"));
        assertThat(holds.list()).extracting(hold -> hold.cause().reason()).containsExactly("amqp:not-allowed");
    }

    @Test
    void a_server_busy_storm_holds_nothing_and_reorders_nothing() {
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .probability(0.5)
                .times(12)
                .then(FaultAction.reject(BrokerError.SERVER_BUSY));
        var expected = load(200);
        startRelay();

        awaitStored("orders", 200);

        assertThat(arrived("orders")).isEqualTo(expected);
        assertThat(holds.list()).isEmpty();
        assertThat(destinations.refused()).isEmpty();
    }

    @Test
    void every_fault_at_once_loses_nothing_reorders_nothing_and_holds_nothing() {
        FaultAction[] beforeStore = {
            FaultAction.reject(BrokerError.SERVER_BUSY),
            FaultAction.reject(BrokerError.INTERNAL_ERROR),
            FaultAction.reject(BrokerError.TIMEOUT),
            FaultAction.detach(BrokerError.DETACH_FORCED),
            FaultAction.dropConnection(),
            FaultAction.closeConnection(BrokerError.CONNECTION_FORCED),
            FaultAction.swallow(),
            FaultAction.delay(Duration.ofMillis(300))
        };
        for (FaultAction action : beforeStore) {
            bus.faults()
                    .at(FaultPoint.BEFORE_STORE)
                    .entity("orders")
                    .probability(0.05)
                    .times(3)
                    .then(action);
        }
        for (FaultAction action : List.of(
                FaultAction.dropConnection(),
                FaultAction.swallow(),
                FaultAction.detach(BrokerError.DETACH_FORCED),
                FaultAction.reject(BrokerError.INTERNAL_ERROR))) {
            bus.faults()
                    .at(FaultPoint.STORED_BEFORE_ACK)
                    .entity("orders")
                    .probability(0.05)
                    .times(3)
                    .then(action);
        }
        bus.faults().at(FaultPoint.ATTACH).entity("orders").after(1).times(1).then(FaultAction.withholdCredit());
        var expected = load(400);
        startRelay();

        awaitStored("orders", 400);

        assertThat(arrived("orders")).isEqualTo(expected);
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_link_that_was_detached_and_never_gets_credit_again_is_replaced_within_the_deadline() {
        startRelay();
        append("orders", "s", "m1");
        awaitStored("orders", 1);
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .times(1)
                .then(FaultAction.detach(BrokerError.DETACH_FORCED));
        var stuck = bus.faults().at(FaultPoint.ATTACH).entity("orders").times(1).then(FaultAction.withholdCredit());
        append("orders", "s", "m2");
        append("orders", "s", "m3");

        awaitStored("orders", 3);

        assertThat(stuck.hits()).isEqualTo(1);
        assertThat(arrived("orders")).containsEntry("s", List.of("m1", "m2", "m3"));
    }

    @Test
    void a_half_open_connection_is_replaced_within_the_deadline() {
        startRelay();
        append("orders", "s", "m1");
        awaitStored("orders", 1);
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .times(1)
                .then(FaultAction.stallReads(Duration.ofSeconds(30)));
        append("orders", "s", "m2");
        append("orders", "s", "m3");
        append("orders", "s", "m4");

        awaitStored("orders", 4);

        assertThat(arrived("orders")).containsEntry("s", List.of("m1", "m2", "m3", "m4"));
    }

    @Test
    void a_token_that_is_refused_is_told_and_the_next_one_is_taken() {
        bus.faults().at(FaultPoint.CBS).times(2).then(FaultAction.reject(BrokerError.UNAUTHORIZED));
        startRelay();
        append("orders", "s", "m1");

        awaitStored("orders", 1);

        assertThat(holds.list()).isEmpty();
    }

    private void startRelay() {
        var publisher = ServiceBusPublisher.of(
                        () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()))
                .withSendDeadline(Duration.ofSeconds(2));
        relays.add(Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .destination("small")
                .destination("large")
                .publisher(publisher)
                .build()
                .start());
    }

    private Map<String, List<String>> load(int messages) {
        var expected = new HashMap<String, List<String>>();
        for (int i = 0; i < messages; i++) {
            String session = "s" + i % 20;
            append("orders", session, "m" + i);
            expected.computeIfAbsent(session, first -> new ArrayList<>()).add("m" + i);
        }
        return expected;
    }

    private void append(String destination, @Nullable String session, String id) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), message(destination, session, id)));
    }

    private static OutboxMessage message(String destination, @Nullable String session, String id) {
        var builder = OutboxMessage.to(destination).id(id).text(id);
        return (session == null ? builder : builder.session(session)).build();
    }

    private void insert(String id, String session, @Nullable String partitionKey, String headers) {
        dsl.execute(
                "insert into " + schema.table("outbox_message")
                        + " (destination, session_id, partition_key, message_id, headers, payload)"
                        + " values ('orders', {0}, {1}, {2}, {3}::jsonb, '')",
                DSL.val(session),
                DSL.val(partitionKey),
                DSL.val(id),
                DSL.val(headers));
    }

    private Map<String, List<String>> arrived(String entity) {
        return bus.journal(entity).stored().stream()
                .collect(groupingBy(Stored::sessionId, mapping(Stored::messageId, toList())));
    }

    private List<String> heldIds() {
        return holds.list().stream()
                .flatMap(hold -> holds.messages(hold.key(), 100).stream())
                .map(message -> message.content().messageId())
                .toList();
    }

    private void append(String id, int subjectLength, int bytes) {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("orders")
                        .session("s")
                        .id(id)
                        .subject("x".repeat(subjectLength))
                        .body(new byte[bytes], "application/octet-stream")
                        .build()));
    }

    private void loseConnectionsWhileLinksOpen(String entity) {
        bus.faults().at(FaultPoint.ATTACH).entity(entity).times(6).then(FaultAction.dropConnection());
    }

    private void awaitNoneHeldAndStored(String entity, int count) {
        await().failFast("a message is held", () -> !heldIds().isEmpty())
                .untilAsserted(
                        () -> assertThat(bus.journal(entity).storedCount()).isEqualTo(count));
    }

    private void awaitStored(String entity, int count) {
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(bus.journal(entity).storedCount()).isEqualTo(count));
    }
}
