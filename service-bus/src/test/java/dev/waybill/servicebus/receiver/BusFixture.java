package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.models.SubQueue;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ForeignTransactions;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.WireContract;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A broker, the tables, a table of effects, and consumers between them. */
final class BusFixture implements AutoCloseable {
    static {
        // A loaded machine is slow, not wrong.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(50));

    final EmbeddedServiceBus bus;
    final DataSource dataSource;
    final SchemaName schema;
    final DSLContext dsl;
    private final List<InboxConsumer> consumers = new ArrayList<>();
    private boolean foreign;

    BusFixture(TestDatabase database, UnaryOperator<EmbeddedServiceBusBuilder> entities) {
        bus = entities.apply(EmbeddedServiceBus.builder()).start();
        dataSource = database.dataSource();
        schema = new SchemaName(database.schemaWith(name -> tables(new SchemaName(name))));
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    private static String tables(SchemaName schema) {
        return Migrations.sql(schema, Feature.all()) + "; create table " + schema.table("effect")
                + " (n bigint generated always as identity, session text, id text not null)";
    }

    /** From now on handlers run in transactions of another manager than the consumer. */
    void useForeignTransactions() {
        foreign = true;
    }

    Verdict effect(DSLContext tx, InboundMessage message) {
        tx.execute(
                "insert into " + schema.table("effect") + " (session, id) values ({0}, {1})",
                DSL.val(message.session().orElse(null)),
                DSL.val(message.id()));
        return Verdict.done();
    }

    List<String> effects() {
        return dsl.fetch("select id from " + schema.table("effect") + " order by n")
                .getValues(0, String.class);
    }

    List<String> effects(String session) {
        return dsl.fetch(
                        "select id from " + schema.table("effect") + " where session = {0} order by n",
                        DSL.val(session))
                .getValues(0, String.class);
    }

    ServiceBusClientBuilder client() {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    ServiceBusSource sessions(String queue) {
        return ServiceBusSource.ofQueue(this::client, queue).withSessions();
    }

    ServiceBusSource messages(String queue) {
        return ServiceBusSource.ofQueue(this::client, queue);
    }

    InboxConsumer consume(MessageSource source, Handler handler) {
        return consume(source, handler, settings -> settings);
    }

    InboxConsumer consume(MessageSource source, Handler handler, UnaryOperator<InboxConsumer.Builder> change) {
        var settings = InboxConsumer.builder(dataSource)
                .schema(schema)
                .name("test")
                .source(source)
                .handler(handler)
                .concurrency(4)
                .tuning(tuning -> tuning.sessionIdle(Duration.ofMillis(200)).drain(Duration.ofSeconds(2)))
                .retries(BRIEFLY);
        if (foreign) {
            settings.transactions(ForeignTransactions.on(dataSource).boundary());
        }
        var consumer = change.apply(settings).build().start();
        consumers.add(consumer);
        return consumer;
    }

    void send(String entity, String session, String id) {
        sendCopy(entity, session, id, id);
    }

    void sendCopy(String entity, String session, String brokerId, String id) {
        try (var sender = client().sender().queueName(entity).buildClient()) {
            var message = new ServiceBusMessage(id)
                    .setMessageId(
                            id.isEmpty() || brokerId.equals(id) ? brokerId : WireContract.redriveId(id, brokerId));
            if (!session.isEmpty()) {
                message.setSessionId(session);
            }
            message.getApplicationProperties().put("waybill-id", id);
            sender.sendMessage(message);
        }
    }

    /** Messages that are gone from the entity, by whatever way. */
    void awaitSettled(String entity, int count) {
        await().atMost(30, TimeUnit.SECONDS).untilAsserted(() -> {
            assertThat(bus.journal(entity).storedCount()).isEqualTo(count);
            assertThat(bus.inspect(entity).active()).isZero();
        });
    }

    ServiceBusReceivedMessage receiveDeadLetter(String queue) {
        try (var receiver = client().receiver()
                .queueName(queue)
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .buildClient()) {
            return receiver.receiveMessages(1, Duration.ofSeconds(10)).stream()
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Override
    public void close() {
        consumers.forEach(InboxConsumer::close);
        bus.close();
    }
}
