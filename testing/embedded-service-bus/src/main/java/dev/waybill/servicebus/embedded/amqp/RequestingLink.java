package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.mailbox.Receiver;
import dev.waybill.servicebus.embedded.mailbox.Requester;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The receiver in whose name a request is made, by the name that Azure's clients give; without one, any of its
 * connection.
 */
final class RequestingLink implements Requester {
    private static final String NAME = "associated-link-name";
    /** Room for the properties of an answer, and for the beginning of its list and map. */
    private static final int ENVELOPE_BYTES = 1024;

    private final Exchange exchange;
    private final @Nullable Object name;

    RequestingLink(Exchange exchange, Map<String, Object> properties) {
        this.exchange = exchange;
        this.name = properties.get(NAME);
    }

    @Override
    public boolean receivesBy(Receiver receiver) {
        return receiver instanceof ReceiveLink link
                && link.connection() == exchange.connection()
                && (name == null || name.equals(link.link().getName()));
    }

    @Override
    public long largestAnswer() {
        return Math.max(0, exchange.largestAnswer() - ENVELOPE_BYTES);
    }
}
