package shop;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.servicebus.ServiceBusSessions;
import dev.waybill.relay.Relay;
import dev.waybill.relay.servicebus.ServiceBusPublisher;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** The wiring: a relay for the orders, and a consumer that keeps the stock. */
record Waybill(Relay relay, InboxConsumer consumer) implements AutoCloseable {
    static Waybill start(DataSource dataSource, String connectionString) {
        Supplier<ServiceBusClientBuilder> bus = () -> new ServiceBusClientBuilder().connectionString(connectionString);
        Relay relay = Relay.builder(dataSource)
                .destination("orders")
                .publisher(ServiceBusPublisher.of(bus))
                .build();
        InboxConsumer consumer = InboxConsumer.builder(dataSource)
                .name("stock")
                .source(ServiceBusSessions.ofQueue(bus, "orders"))
                .handler(Handler.onConnection(Stock::take))
                .build();
        return new Waybill(relay.start(), consumer.start());
    }

    @Override
    public void close() {
        relay.close();
        consumer.close();
    }
}
