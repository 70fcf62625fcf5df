package dev.waybill.servicebus.publisher;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Holds;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
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

/** Batches of one session each, for partitioned entities. All sessions here share one bucket. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SessionBatchesTest {
    private static final int SESSIONS = 12;
    private static final int MESSAGES = 10;

    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue(
                    "parted",
                    queue -> queue.partitioned(true).requiresSession().duplicateDetection(Duration.ofMinutes(10)))
            .start();
    private final Queue<List<String>> batches = new ConcurrentLinkedQueue<>();
    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private Outbox outbox;
    private final List<Relay> relays = new ArrayList<>();
    private List<String> sessions;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder().schema(schema).build();
        sessions = dsl.fetch("""
                        select 's' || n as session from generate_series(1, 10000) n
                        where hashtextextended(('s' || n) collate "C", 0) & 31 = 7 order by n limit {0}
                        """, DSL.inline(SESSIONS)).getValues("session", String.class);
    }

    @AfterEach
    void stop() {
        relays.forEach(Relay::close);
        bus.close();
    }

    @Test
    void every_batch_holds_one_session_and_every_session_keeps_its_order() {
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("parted")
                .when(event -> !batches.add(event.messageIds()))
                .then(FaultAction.swallow());
        append();
        start(BatchMode.PER_SESSION);

        awaitStored(SESSIONS * MESSAGES);

        assertInOrder();
        assertThat(batches)
                .anySatisfy(ids -> assertThat(ids).hasSizeGreaterThan(1))
                .allSatisfy(ids -> assertThat(
                                ids.stream().map(SessionBatchesTest::sessionOf).distinct())
                        .hasSize(1));
    }

    @Test
    void a_session_that_writers_spell_in_two_ways_keeps_its_order() {
        var ids = IntStream.range(0, 2 * MESSAGES).mapToObj(i -> "w-" + i).toList();
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                ids.stream()
                        .map(id -> OutboxMessage.to("parted")
                                .session(id.length() % 2 == 0 || id.endsWith("1") ? "W" : "w")
                                .id(id)
                                .text(id)
                                .build())
                        .toList()));
        start(BatchMode.PER_SESSION);

        awaitStored(ids.size());

        assertThat(bus.journal("parted").stored()).extracting(Stored::messageId).containsExactlyElementsOf(ids);
        assertNothingIsHeld();
    }

    @Test
    void mixed_batches_come_through_too_after_the_entity_has_refused_them() {
        append();
        start(BatchMode.MIXED);

        awaitStored(SESSIONS * MESSAGES);

        assertInOrder();
        assertNothingIsHeld();
    }

    @Test
    @Tag("long")
    void a_session_whose_send_is_not_answered_does_not_keep_the_others_of_its_bucket() {
        var silence = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("parted")
                .when(event ->
                        event.messageIds().stream().anyMatch(id -> sessionOf(id).equals(sessions.get(0))))
                .then(FaultAction.swallow());
        append();
        start(BatchMode.PER_SESSION);

        awaitStored((SESSIONS - 1) * MESSAGES);
        silence.cancel();
        awaitStored(SESSIONS * MESSAGES);

        assertInOrder();
        assertNothingIsHeld();
    }

    @Test
    void a_lost_acknowledgement_of_one_session_overtakes_nothing() {
        bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .entity("parted")
                .when(event ->
                        event.messageIds().stream().anyMatch(id -> sessionOf(id).equals(sessions.get(3))))
                .times(1)
                .then(FaultAction.dropConnection());
        append();
        start(BatchMode.PER_SESSION);

        awaitStored(SESSIONS * MESSAGES);

        assertInOrder();
        assertNothingIsHeld();
    }

    @Test
    void a_refused_message_holds_its_own_session_only() {
        String culprit = sessions.get(5) + "-4";
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("parted")
                .message(culprit)
                .then(FaultAction.reject(BrokerError.MESSAGE_SIZE_EXCEEDED));
        append();
        start(BatchMode.PER_SESSION);

        awaitStored(SESSIONS * MESSAGES - (MESSAGES - 4));

        var holds = Holds.ofOutbox(database.dataSource(), schema);
        await().untilAsserted(() -> assertThat(holds.list()).hasSize(1));
        assertThat(arrived().get(sessions.get(5))).hasSize(4);
    }

    private void append() {
        var messages = new ArrayList<OutboxMessage>();
        for (int i = 0; i < MESSAGES; i++) {
            for (String session : sessions) {
                String id = session + "-" + i;
                messages.add(OutboxMessage.to("parted")
                        .session(session)
                        .id(id)
                        .text(id)
                        .build());
            }
        }
        dsl.transaction(tx -> outbox.append(tx.dsl(), messages));
    }

    private void start(BatchMode batches) {
        var publisher = ServiceBusPublisher.of(
                        () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()))
                .withSendDeadline(Duration.ofSeconds(2))
                .withBatches("parted", batches);
        relays.add(Relay.builder(database.dataSource())
                .schema(schema)
                .destination("parted")
                .tuning(tuning -> tuning.batchRows(SESSIONS * MESSAGES * 2))
                .publisher(publisher)
                .build()
                .start());
    }

    private void awaitStored(int count) {
        await().atMost(40, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(bus.journal("parted").storedCount()).isEqualTo(count));
    }

    private void assertInOrder() {
        var arrived = arrived();
        for (String session : sessions) {
            assertThat(arrived.get(session))
                    .containsExactlyElementsOf(IntStream.range(0, MESSAGES)
                            .mapToObj(i -> session + "-" + i)
                            .toList());
        }
    }

    private void assertNothingIsHeld() {
        assertThat(Holds.ofOutbox(database.dataSource(), schema).list()).isEmpty();
    }

    private Map<String, List<String>> arrived() {
        return bus.journal("parted").stored().stream()
                .collect(groupingBy(Stored::sessionId, mapping(Stored::messageId, toList())));
    }

    private static String sessionOf(String id) {
        return id.substring(0, id.indexOf('-'));
    }
}
