package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Lookup;
import java.util.List;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Sender;
import org.jspecify.annotations.Nullable;

/** A client's browser: sends copies of messages and locks none. */
final class BrowseLink implements LinkHandler {
    private static final Symbol COPY = Symbol.valueOf("copy");

    private final Broker broker;
    private final AmqpConnection connection;
    private final Sender link;
    private final Lookup messages;
    private final DrainAnswer drain;
    private long next = Long.MIN_VALUE;
    private boolean closed;

    BrowseLink(Broker broker, AmqpConnection connection, Sender link, Lookup messages) {
        this.broker = broker;
        this.connection = connection;
        this.link = link;
        this.messages = messages;
        this.drain = new DrainAnswer(broker, connection, link, () -> closed, this::bringsMore);
    }

    /** Whether the client asks for copies, as JMS browsers do. */
    static boolean isAskedBy(@Nullable Source source) {
        return source != null && COPY.equals(source.getDistributionMode());
    }

    @Override
    public void flow() {
        List<Entry> found = link.getCredit() == 0 ? List.of() : messages.peek(next, link.getCredit(), null);
        for (Entry entry : found) {
            if (connection.unread().holdsBack(link, this::flow)) {
                break;
            }
            next = entry.sequenceNumber() + 1;
            byte[] bytes = entry.encode(broker.loop().clock());
            Delivery delivery = link.delivery(LockTokens.toTag(UUID.randomUUID()));
            delivery.setMessageFormat(0);
            link.send(bytes, 0, bytes.length);
            delivery.settle();
            link.advance();
        }
        connection.touch();
        if (link.getDrain()) {
            drain.begin();
        }
    }

    private boolean bringsMore() {
        return link.getCredit() > 0 && !messages.peek(next, 1, null).isEmpty();
    }

    @Override
    public void closed() {
        closed = true;
        connection.unread().forget(link);
    }
}
