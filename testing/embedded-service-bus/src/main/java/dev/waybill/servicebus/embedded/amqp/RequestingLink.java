package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.mailbox.Receiver;
import dev.waybill.servicebus.embedded.mailbox.Requester;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The receiver on whose behalf a request is made, by the name that Azure's clients send; any receiver of the connection without one. */
final class RequestingLink implements Requester {
    private static final String NAME = "associated-link-name";
    /** Room for an answer's properties, list and map headers. */
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
