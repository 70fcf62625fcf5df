package dev.waybill.walletforge.servicebus;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.walletforge.proof.BrokerObserver;

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
