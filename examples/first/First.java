import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Sends its argument as a message, and handles it. */
class First {
    public static void main(String[] text) throws Exception {
        // A PostgreSQL and a Service Bus that last as long as this program. A service has a pool and a connection string.
        try (var postgres = PostgresServer.embedded();
                var bus = EmbeddedServiceBus.builder().queue("hello", queue -> queue.requiresSession()).start();
                var pool = postgres.newPool(20)) {
            // Once a release: Waybill's tables, in the schema 'waybill'. The table 'greeting' stands for the service's own.
            Migrations.of(pool).apply();
            var outbox = Outbox.of(pool);
            outbox.inTransaction(tx -> tx.execute("create table greeting (text text, handled int default 0)"));

            // In each instance of the service: the relay publishes what was committed, in the order of each session.
            var relay = Relay.builder(pool).destination("hello").publisher(ServiceBusPublisher.of(bus.connectionString()));

            // Beside it, the consumer handles each message once: what a handler writes through 'tx' commits with its id.
            var handled = new CountDownLatch(1);
            var source = ServiceBusSource.ofQueue(bus.connectionString(), "hello").withSessions();
            var consumer = InboxConsumer.builder(pool).name("reader").source(source).handler((tx, message) -> {
                tx.execute("update greeting set handled = handled + 1");
                System.out.println("handled " + message.id() + ": " + message.text());
                handled.countDown();
                return Verdict.done();
            });

            // One transaction for the row and the message: after its commit both are there, or neither is.
            try (var publishing = relay.start(); var handling = consumer.start()) {
                outbox.inTransaction(tx -> {
                    tx.execute("insert into greeting values (?)", text[0]);
                    outbox.append(tx, OutboxMessage.to("hello").session("anna").id("hello-1").text(text[0]).build());
                });
                if (!handled.await(30, TimeUnit.SECONDS)) System.out.println("not handled within 30 s: the log says why");
            }
        }
    }
}
