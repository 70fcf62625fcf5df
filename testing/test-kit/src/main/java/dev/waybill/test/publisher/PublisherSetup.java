package dev.waybill.test.publisher;

import dev.waybill.relay.Publisher;
import java.util.List;

/** A publisher, and a broker that a test can disturb. Each test of the {@link PublisherContract} gets a new one. */
public interface PublisherSetup extends AutoCloseable {
    /**
     * The publisher under test, which the contract closes. A short {@linkplain Publisher#longestSend longest send}, such as 1 s, keeps
     * the tests fast.
     */
    Publisher publisher();

    /** Where the messages go. Default: {@code orders}. */
    default String destination() {
        return "orders";
    }

    /** The ids that the broker has stored, in order. */
    List<String> arrived();

    /** From now on, the broker refuses this message alone. */
    void refuse(String messageId);

    void become(BrokerState state);

    @Override
    void close();

    enum BrokerState {
        /** As usual. */
        AVAILABLE,
        /** With an error that has nothing to do with the message, or by a connection that breaks. */
        UNAVAILABLE,
        /** Not at all, and it does not store what it was sent. */
        SILENT
    }
}
