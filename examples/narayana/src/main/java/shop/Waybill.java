package shop;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.servicebus.ServiceBusSessions;
import dev.waybill.jakarta.JakartaTransaction;
import dev.waybill.jakarta.JakartaTransactionBoundary;
import dev.waybill.outbox.Outbox;
import dev.waybill.relay.Relay;
import dev.waybill.relay.servicebus.ServiceBusPublisher;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** The wiring: a relay for the orders, and a consumer whose handler runs in the transactions of the services. */
record Waybill(Relay relay, InboxConsumer consumer) implements AutoCloseable {
    static Outbox outbox(DataSource dataSource, Executor executor) {
        return Outbox.builder()
                .transactions(JakartaTransaction.of(Transactions.REGISTRY, dataSource).wakingOn(executor))
                .build();
    }

    static Waybill start(DataSource dataSource, String connectionString, Handler handler) {
        Supplier<ServiceBusClientBuilder> bus = () -> new ServiceBusClientBuilder().connectionString(connectionString);
        Relay relay = Relay.builder(dataSource)
                .destination("orders")
                .publisher(ServiceBusPublisher.of(bus))
                .build();
        InboxConsumer consumer = InboxConsumer.builder(dataSource)
                .name("stock")
                .transactions(new JakartaTransactionBoundary(Transactions.USER, dataSource))
                .source(ServiceBusSessions.ofQueue(bus, "orders"))
                .handler(handler)
                .build();
        return new Waybill(relay.start(), consumer.start());
    }

    @Override
    public void close() {
        relay.close();
        consumer.close();
    }
}
