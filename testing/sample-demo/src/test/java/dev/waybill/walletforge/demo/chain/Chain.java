package dev.waybill.walletforge.demo.chain;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Outbox, relays, brokers and consumers of one test, on one database, with the queue "orders". */
final class Chain {
    static final String QUEUE = "orders";

    final SchemaName schema;
    final DataSource dataSource;
    final DSLContext dsl;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    Chain(TestDatabase database) {
        schema = new SchemaName(database.schemaWith(Chain::tables));
        dataSource = database.dataSource();
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    private static String tables(String name) {
        var schema = new SchemaName(name);
        return Migrations.sql(schema, Feature.all()) + "; create table " + schema.table("effect")
                + " (n bigint generated always as identity, session text not null, id text not null)";
    }

    EmbeddedServiceBus bus() {
        return open(EmbeddedServiceBus.builder()
                .queue(QUEUE, queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
                .start());
    }

    Relay relay(EmbeddedServiceBus bus, UnaryOperator<Relay.Builder> settings) {
        var builder = Relay.builder(dataSource)
                .schema(schema)
                .destination(QUEUE)
                .publisher(ServiceBusPublisher.of(() -> connection(bus)));
        return open(settings.apply(builder).build().start());
    }

    InboxConsumer consumer(EmbeddedServiceBus bus, Handler handler, UnaryOperator<InboxConsumer.Builder> settings) {
        var builder = InboxConsumer.builder(dataSource)
                .schema(schema)
                .name("test")
                .source(ServiceBusSource.ofQueue(() -> connection(bus), QUEUE).withSessions())
                .handler(handler)
                .tuning(tuning -> tuning.sessionIdle(Duration.ofMillis(200)))
                .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(50)));
        return open(settings.apply(builder).build().start());
    }

    void append(Outbox outbox, Collection<OutboxMessage> messages) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), messages));
    }

    void effect(DSLContext tx, String session, String id) {
        tx.execute(
                "insert into " + schema.table("effect") + " (session, id) values ({0}, {1})",
                DSL.inline(session),
                DSL.inline(id));
    }

    List<String> effects(String session) {
        return dsl.fetch(
                        "select id from " + schema.table("effect") + " where session = {0} order by n",
                        DSL.inline(session))
                .getValues(0, String.class);
    }

    ServiceBusClientBuilder connection(EmbeddedServiceBus bus) {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    <T extends AutoCloseable> T open(T resource) {
        open.push(resource);
        return resource;
    }
}
