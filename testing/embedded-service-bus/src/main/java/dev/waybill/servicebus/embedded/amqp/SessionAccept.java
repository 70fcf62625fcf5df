package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.Timers;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Receiver;
import dev.waybill.servicebus.embedded.mailbox.Receiving;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.mailbox.Session;
import dev.waybill.servicebus.embedded.mailbox.SessionRequest;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.engine.Sender;
import org.jspecify.annotations.Nullable;

/** A receiver's attach that waits for a session. The answer waits until a session is granted or the request times out. */
final class SessionAccept implements SessionRequest, LinkHandler {
    static final Symbol FILTER = Symbol.valueOf("com.microsoft:session-filter");
    private static final Symbol LOCKED_UNTIL = Symbol.valueOf("com.microsoft:locked-until-utc");
    private static final Symbol TIMEOUT = Symbol.valueOf("com.microsoft:timeout");
    private static final long DEFAULT_TIMEOUT_MILLIS = 60_000;
    /** Milliseconds from year 1, where .NET's ticks start, to 1970. */
    private static final long DOTNET_EPOCH_MILLIS = 62_135_596_800_000L;

    private final Broker broker;
    private final AmqpConnection connection;
    private final Sender link;
    private final Source source;
    private final ReceiveLink receiver;
    private Timers.@Nullable Timer timeout;

    SessionAccept(Broker broker, AmqpConnection connection, Sender link, Source source, Mailbox mailbox) {
        this.broker = broker;
        this.connection = connection;
        this.link = link;
        this.source = source;
        this.receiver = new ReceiveLink(broker, connection, link, mailbox);
    }

    static boolean isAskedBy(@Nullable Source source) {
        return source != null
                && source.getFilter() != null
                && source.getFilter().containsKey(FILTER);
    }

    /** Throws if the session can never be granted. */
    void begin() {
        Timers.Timer limit = broker.loop().network().in(patience(), this::timedOut);
        timeout = limit;
        link.setContext(this);
        try {
            Receiving.request(receiver.mailbox(), this);
        } catch (Refused why) {
            limit.cancel();
            link.setContext(null);
            throw why;
        }
    }

    private long patience() {
        Map<Symbol, Object> properties = link.getRemoteProperties();
        return properties != null && properties.get(TIMEOUT) instanceof UnsignedInteger millis
                ? millis.longValue()
                : DEFAULT_TIMEOUT_MILLIS;
    }

    @Override
    public @Nullable String sessionId() {
        Object id = source.getFilter().get(FILTER);
        Object plain = id instanceof DescribedType described ? described.getDescribed() : id;
        return plain == null ? null : plain.toString();
    }

    @Override
    public void granted(Session session) {
        cancelTimeout();
        receiver.attach(session);
        link.setContext(receiver);
        Map<Symbol, Object> filter = new HashMap<>();
        filter.put(FILTER, session.id());
        source.setFilter(filter);
        link.setSource(source);
        link.setTarget(link.getRemoteTarget());
        Map<Symbol, Object> properties = new HashMap<>();
        long until = broker.loop().clock().toWall(Receiving.lockedUntil(session));
        properties.put(LOCKED_UNTIL, (until + DOTNET_EPOCH_MILLIS) * 10_000);
        link.setProperties(properties);
        link.open();
        connection.touch();
        if (link.getCredit() > 0 || link.getDrain()) {
            // The client requested messages before the session was granted.
            receiver.flow();
        }
    }

    private void timedOut() {
        Receiving.withdraw(receiver.mailbox(), this);
        LinkRouter.refuse(
                connection,
                link,
                new Refused(BrokerError.TIMEOUT, "The operation did not complete within the allotted timeout."));
    }

    @Override
    public Receiver receiver() {
        return receiver;
    }

    private void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel();
        }
    }

    @Override
    public void closed() {
        cancelTimeout();
        Receiving.withdraw(receiver.mailbox(), this);
    }
}
