package shop;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSessions;
import javax.sql.DataSource;

/** The wiring: a relay for the orders, and a consumer that keeps the stock. Both work until they are closed. */
final class Waybill {
    private Waybill() {}

    static Relay relay(DataSource dataSource, String connectionString) {
        return Relay.builder(dataSource)
                .destination("orders")
                .publisher(ServiceBusPublisher.of(connectionString))
                .start();
    }

    static InboxConsumer consumer(DataSource dataSource, String connectionString) {
        return InboxConsumer.builder(dataSource)
                .name("stock")
                .source(ServiceBusSessions.ofQueue(connectionString, "orders"))
                .handler(Handler.onConnection(Stock::take))
                .start();
    }
}
