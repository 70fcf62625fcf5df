package dev.waybill.deadletter.collect;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.waybill.deadletter.CollectorSettings;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jspecify.annotations.Nullable;

/** A broker with dead letters, the tables, and collectors whose turns the test takes. */
public final class DeadLetterFixture implements AutoCloseable {
    static {
        // A loaded machine is slow, not wrong.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    public static final Duration SOON = Duration.ofMillis(300);

    /** For what is there, and comes as soon as the machine has time for it. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    public final EmbeddedServiceBus bus;
    public final TestDatabase database;
    public final SchemaName schema;
    public final DSLContext dsl;
    private final List<DeadLetterQueue> opened = new ArrayList<>();

    public DeadLetterFixture(TestDatabase database, UnaryOperator<EmbeddedServiceBusBuilder> entities) {
        this.database = database;
        bus = entities.apply(EmbeddedServiceBus.builder()).start();
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = schema.in(DSL.using(database.dataSource(), SQLDialect.POSTGRES));
    }

    public ServiceBusClientBuilder client() {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    public void send(String entity, ServiceBusMessage... messages) {
        try (var sender = client().sender().queueName(entity).buildClient()) {
            for (ServiceBusMessage message : messages) {
                sender.sendMessage(message);
            }
        }
    }

    /** Sends messages m0, m1, … in large batches, each with its number as property n. */
    public void sendMany(String queue, int count, int bodyBytes) {
        byte[] body = new byte[bodyBytes];
        try (var sender = client().sender().queueName(queue).buildClient()) {
            var batch = sender.createMessageBatch();
            for (int i = 0; i < count; i++) {
                var message = new ServiceBusMessage(BinaryData.fromBytes(body)).setMessageId("m" + i);
                message.getApplicationProperties().put("n", (long) i);
                if (!batch.tryAddMessage(message)) {
                    sender.sendMessages(batch);
                    batch = sender.createMessageBatch();
                    batch.tryAddMessage(message);
                }
            }
            sender.sendMessages(batch);
        }
    }

    public static ServiceBusMessage message(String id, String body) {
        return new ServiceBusMessage(body).setMessageId(id);
    }

    /** Sends messages to a queue without sessions and lets a consumer give each of them up. */
    public void bury(String queue, String reason, ServiceBusMessage... messages) {
        send(queue, messages);
        giveUp(queue, null, reason, messages.length);
    }

    /** A consumer without sessions gives up so many messages. */
    public void giveUp(String entity, @Nullable String subscription, String reason, int count) {
        var builder = client().receiver();
        builder = subscription == null
                ? builder.queueName(entity)
                : builder.topicName(entity).subscriptionName(subscription);
        try (var receiver = builder.disableAutoComplete().buildClient()) {
            int done = 0;
            while (done < count) {
                for (ServiceBusReceivedMessage message :
                        receiver.receiveMessages(count - done, Duration.ofSeconds(10))) {
                    receiver.deadLetter(
                            message,
                            new DeadLetterOptions()
                                    .setDeadLetterReason(reason)
                                    .setDeadLetterErrorDescription("because of " + reason));
                    done++;
                }
            }
        }
    }

    /** A consumer gives up so many messages of one session. */
    public void giveUpSession(String queue, String session, String reason, int count) {
        try (var client = client().sessionReceiver()
                        .queueName(queue)
                        .disableAutoComplete()
                        .buildClient();
                var receiver = client.acceptSession(session)) {
            int done = 0;
            while (done < count) {
                for (ServiceBusReceivedMessage message :
                        receiver.receiveMessages(count - done, Duration.ofSeconds(10))) {
                    receiver.deadLetter(message, new DeadLetterOptions().setDeadLetterReason(reason));
                    done++;
                }
            }
        }
    }

    public ServiceBusDeadLetters deadLettersOf(String queue) {
        return opened(ServiceBusDeadLetters.ofQueue(this::client, queue));
    }

    public ServiceBusDeadLetters deadLettersOf(String topic, String subscription) {
        return opened(ServiceBusDeadLetters.ofSubscription(this::client, topic, subscription));
    }

    CollectorTurn collector(DeadLetterQueue queue) {
        return collector(dsl, queue);
    }

    CollectorTurn collector(DSLContext connection, DeadLetterQueue queue) {
        return new CollectorTurn(connection, schema, queue, CollectorSettings.DEFAULT, System::nanoTime);
    }

    /** Collects until nothing comes any more; returns how many were stored. */
    public int collect(DeadLetterQueue queue) throws InterruptedException {
        DeadLetterEntity entity = queue.entity();
        boolean some = entity.transfer() || deadLettersIn(entity.path()) > 0;
        int stored = collect(collector(queue), some ? PATIENCE : SOON);
        // Another receiver would wait for what this one asks for.
        queue.renew();
        return stored;
    }

    int collect(CollectorTurn turn) throws InterruptedException {
        return collect(turn, SOON);
    }

    private static int collect(CollectorTurn turn, Duration first) throws InterruptedException {
        int stored = 0;
        Duration wait = first;
        CollectorOutcome outcome;
        do {
            outcome = turn.run(wait);
            wait = SOON;
            if (outcome.failure() != null) {
                throw new AssertionError("A turn failed", outcome.failure());
            }
            stored += outcome.stored();
        } while (outcome.received() > 0);
        if (!turn.drain(Duration.ofSeconds(20))) {
            throw new AssertionError("Completions are still on their way");
        }
        return stored;
    }

    public List<String> storedIds() {
        return dsl.fetch("select message_id from " + schema.table("dead_letter") + " order by id")
                .getValues(0, String.class);
    }

    /** As if a relay had been at work for these destinations. */
    public void served(String... destinations) {
        for (String destination : destinations) {
            dsl.execute(
                    "insert into " + schema.table("outbox_destination")
                            + " (destination) values ({0}) on conflict do nothing",
                    DSL.val(destination));
        }
    }

    public long deadLettersIn(String entity) {
        return bus.inspect(entity).deadLetters();
    }

    /** A context whose transactions fail when they are about to commit. */
    public DSLContext dyingBeforeCommit() {
        return DSL.using(dsl.configuration().deriveAppending(TransactionListener.onCommitStart(context -> {
            throw new Crash();
        })));
    }

    /** A context whose transactions commit, and whose user does not learn of it. */
    public DSLContext dyingAfterCommit() {
        return dyingAfterCommit(dsl);
    }

    public DSLContext dyingAfterCommit(DSLContext connection) {
        return DSL.using(connection.configuration().deriveAppending(TransactionListener.onCommitEnd(context -> {
            throw new Crash();
        })));
    }

    /** A context that fails before it sends a statement that contains this text, by jOOQ or past it. */
    public DSLContext dyingBefore(String text) {
        return DSL.using(
                new DataSourceConnectionProvider(database.dataSource()) {
                    @Override
                    public Connection acquire() {
                        return dying(super.acquire(), text);
                    }
                },
                SQLDialect.POSTGRES);
    }

    private static Connection dying(Connection connection, String text) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement") && ((String) arguments[0]).contains(text)) {
                        throw new Crash();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    public void execute(String sql) {
        dsl.execute(sql.replace("$schema", schema.value()));
    }

    public <T extends DeadLetterQueue> T opened(T queue) {
        opened.add(queue);
        return queue;
    }

    @Override
    public void close() {
        opened.forEach(DeadLetterQueue::close);
        bus.close();
    }

    /** The process ends here. */
    public static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
