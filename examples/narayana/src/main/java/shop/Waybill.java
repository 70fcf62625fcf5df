package shop;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.jakarta.JakartaTransaction;
import dev.waybill.jakarta.JakartaTransactionBoundary;
import dev.waybill.outbox.Outbox;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/** The wiring: a relay for the orders, and a consumer whose handler runs in the transactions of the services. */
final class Waybill {
    private Waybill() {}

    static Outbox outbox(DataSource dataSource, Executor executor) {
        return Outbox.builder().transactions(JakartaTransaction.of(Transactions.REGISTRY, dataSource).wakingOn(executor)).build();
    }

    static Relay relay(DataSource dataSource, String connectionString) {
        return Relay.builder(dataSource)
                .destination("orders")
                .publisher(ServiceBusPublisher.of(connectionString))
                .start();
    }

    static InboxConsumer consumer(DataSource dataSource, String connectionString, Handler handler) {
        return InboxConsumer.builder(dataSource)
                .name("stock")
                .transactions(new JakartaTransactionBoundary(Transactions.USER, dataSource))
                .source(ServiceBusSource.ofQueue(connectionString, "orders").withSessions())
                .handler(handler)
                .start();
    }
}
