package dev.waybill.walletforge.demo.servicebus;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.walletforge.demo.proof.BrokerObserver;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;

/** The bus of one run. */
public interface Bus extends AutoCloseable {
    /** Where relay and consumer connect. */
    ServiceBusAddress address();

    /** The observer of messages published and delivered. */
    BrokerObserver witness();

    /** The listener to the consumer's messages. */
    default ConsumerListener listener() {
        return ConsumerListener.SILENT;
    }

    /** How many messages are known to be published so far; cheap. */
    long published();

    /** How many deliveries are known so far; cheap. */
    long delivered();

    /** Whether nothing is left to deliver, as far as can be known. */
    boolean isDrained();

    @Override
    void close();
}
