package dev.waybill.test.publisher;

import dev.waybill.relay.Publisher;
import java.util.List;

/** A publisher, and a broker that a test can disturb. Each test of the {@link PublisherContract} gets a new one. */
public interface PublisherSetup extends AutoCloseable {
    /**
     * The publisher under test. A short {@linkplain Publisher#longestSend longest send}, such as 1 s, keeps the tests fast. The
     * contract closes it.
     */
    Publisher publisher();

    /** Where the messages go. Default: {@code orders}. */
    default String destination() {
        return "orders";
    }

    /** The ids of the messages that the broker has stored, in the order in which it stored them. */
    List<String> arrived();

    /** From now on the broker refuses the message of this id, and accepts all others. */
    void refuse(String messageId);

    /** Whether the broker answers as usual, fails every request, or takes requests and never answers. */
    void become(BrokerState state);

    /** Stops the broker. */
    @Override
    void close();

    /** How a broker answers. */
    enum BrokerState {
        /** As usual. */
        AVAILABLE,
        /** With an error that has nothing to do with the message, or by a connection that breaks. */
        UNAVAILABLE,
        /** Not at all, and it does not store what it was sent. */
        SILENT
    }
}
