package shop;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.outbox.LocalRelay;
import dev.waybill.outbox.Outbox;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import javax.sql.DataSource;

/** The wiring: a relay for the orders, the outbox that notifies it, and a consumer that keeps the stock. */
final class Waybill {
    private Waybill() {}

    static Relay relay(DataSource dataSource, String connectionString) {
        return Relay.builder(dataSource)
                .destination("orders")
                .publisher(ServiceBusPublisher.of(connectionString))
                .start();
    }

    /** Notifies the relay in this process of each commit, so that no message waits for its next poll. */
    static Outbox outbox(DataSource dataSource, LocalRelay relay) {
        return Outbox.builder(dataSource).relay(relay).build();
    }

    static InboxConsumer consumer(DataSource dataSource, String connectionString) {
        return InboxConsumer.builder(dataSource)
                .name("stock")
                .source(ServiceBusSource.ofQueue(connectionString, "orders").withSessions())
                .handler(Stock::take)
                .start();
    }
}
