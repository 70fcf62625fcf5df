package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.WireContract;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InboxFromServiceBusTest {
    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue.requiresSession())
            .start();
    private final List<InboxConsumer> consumers = new ArrayList<>();
    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> tables(new SchemaName(name))));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    private static String tables(SchemaName schema) {
        return Migrations.sql(schema, Feature.all()) + "; create table " + schema.table("effect")
                + " (n bigint generated always as identity, session text not null, id text not null)";
    }

    @AfterEach
    void stop() {
        consumers.forEach(InboxConsumer::close);
        bus.close();
    }

    @Test
    void every_message_has_one_effect_and_each_session_keeps_its_order() {
        for (int i = 0; i < 200; i++) {
            send("s" + i % 20, "m" + i);
        }

        consume(this::effect);
        awaitSettled(200);

        for (int s = 0; s < 20; s++) {
            int session = s;
            assertThat(effects("s" + s))
                    .containsExactlyElementsOf(IntStream.range(0, 200)
                            .filter(i -> i % 20 == session)
                            .mapToObj(i -> "m" + i)
                            .toList());
        }
    }

    @Test
    void a_message_delivered_again_after_a_lost_completion_has_one_effect() {
        bus.faults().at(FaultPoint.BEFORE_SETTLE).entity("orders").times(2).then(FaultAction.dropConnection());
        send("s", "m1");
        send("s", "m2");

        consume(this::effect);
        awaitSettled(2);

        assertThat(bus.journal("orders").deliveries()).hasSizeGreaterThan(2);
        assertThat(effects("s")).containsExactly("m1", "m2");
    }

    @Test
    void a_message_delivered_twice_has_one_effect() {
        bus.faults().at(FaultPoint.BEFORE_DELIVER).entity("orders").times(1).then(FaultAction.deliverTwice());
        send("s", "m1");

        consume(this::effect);
        awaitSettled(1);

        assertThat(bus.journal("orders").deliveries()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(effects("s")).containsExactly("m1");
    }

    @Test
    void a_redriven_copy_under_another_message_id_is_the_same_message() {
        sendCopy("s", "m1", "m1");
        sendCopy("s", "m1~0123456789abcdefghijklmnop", "m1");

        consume(this::effect);
        awaitSettled(2);

        assertThat(effects("s")).containsExactly("m1");
    }

    @Test
    void a_poison_message_goes_to_the_dead_letter_queue_with_its_exception_and_its_session_goes_on() {
        send("s", "poison");
        send("s", "m2");

        consume((tx, message) -> {
            if (message.id().equals("poison")) {
                throw new IllegalArgumentException("no such wallet");
            }
            return effect(tx, message);
        });
        awaitSettled(2);

        ServiceBusReceivedMessage dead = receiveDeadLetter();
        assertThat(dead.getMessageId()).isEqualTo("poison");
        assertThat(dead.getDeadLetterReason()).isEqualTo("java.lang.IllegalArgumentException");
        assertThat(dead.getDeadLetterErrorDescription()).contains("no such wallet");
        assertThat(effects("s")).containsExactly("m2");
    }

    @Test
    void a_session_whose_lock_is_lost_while_a_message_is_handled_goes_on_without_a_second_effect() {
        var tries = new AtomicInteger();
        send("s", "m1");
        send("s", "m2");

        consume((tx, message) -> {
            if (tries.incrementAndGet() == 1) {
                bus.expireLocks("orders");
            }
            return effect(tx, message);
        });
        awaitSettled(2);

        assertThat(effects("s")).containsExactly("m1", "m2");
    }

    @Test
    void a_consumer_that_stops_settles_what_it_has_and_leaves_the_rest_to_the_next() {
        send("s", "m1");
        consume(this::effect);
        awaitSettled(1);
        consumers.remove(0).close();
        send("s", "m2");

        consume(this::effect);
        awaitSettled(2);

        assertThat(bus.journal("orders").deliveries()).hasSize(2);
    }

    @Test
    void a_consumer_finds_the_broker_again_after_its_connection_was_cut() {
        consume(this::effect);
        send("s", "m1");
        awaitSettled(1);

        bus.dropConnections();
        send("s", "m2");
        awaitSettled(2);

        assertThat(effects("s")).containsExactly("m1", "m2");
    }

    private Verdict effect(DSLContext tx, InboundMessage message) {
        tx.execute(
                "insert into " + schema.table("effect") + " (session, id) values ({0}, {1})",
                DSL.inline(message.session().orElseThrow()),
                DSL.inline(message.id()));
        return Verdict.done();
    }

    private List<String> effects(String session) {
        return dsl.fetch(
                        "select id from " + schema.table("effect") + " where session = {0} order by n",
                        DSL.inline(session))
                .getValues(0, String.class);
    }

    private void consume(Handler handler) {
        consumers.add(InboxConsumer.builder(database.dataSource())
                .schema(schema)
                .name("test")
                .source(ServiceBusSource.ofQueue(
                                () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()), "orders")
                        .withSessions())
                .handler(handler)
                .concurrency(4)
                .tuning(tuning -> tuning.sessionIdle(Duration.ofMillis(200)))
                .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(50)))
                .build()
                .start());
    }

    /** Messages that are gone from the queue, by whatever way. */
    private void awaitSettled(int count) {
        await().atMost(30, TimeUnit.SECONDS).untilAsserted(() -> {
            assertThat(bus.journal("orders").storedCount()).isEqualTo(count);
            assertThat(bus.inspect("orders").active()).isZero();
        });
    }

    private void send(String session, String id) {
        sendCopy(session, id, id);
    }

    private void sendCopy(String session, String brokerId, String id) {
        try (var sender = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender()
                .queueName("orders")
                .buildClient()) {
            var message = new ServiceBusMessage(id)
                    .setMessageId(id.isEmpty() || brokerId.equals(id) ? brokerId : WireContract.redriveId(id, brokerId))
                    .setSessionId(session);
            message.getApplicationProperties().put("waybill-id", id);
            sender.sendMessage(message);
        }
    }

    private ServiceBusReceivedMessage receiveDeadLetter() {
        try (var receiver = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .receiver()
                .queueName("orders")
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .buildClient()) {
            return receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                    .findFirst()
                    .orElseThrow();
        }
    }
}
