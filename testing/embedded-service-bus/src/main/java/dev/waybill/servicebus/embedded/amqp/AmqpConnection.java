package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.loop.Timers;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.transaction.Transactions;
import dev.waybill.servicebus.embedded.transport.AnonymousSasl;
import dev.waybill.servicebus.embedded.transport.FrameGuard;
import dev.waybill.servicebus.embedded.transport.LingeringClose;
import dev.waybill.servicebus.embedded.transport.WebSocketLayer;
import dev.waybill.servicebus.embedded.transport.Wire;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.engine.Collector;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Event;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Sasl;
import org.apache.qpid.proton.engine.SslDomain;
import org.apache.qpid.proton.engine.Transport;
import org.apache.qpid.proton.engine.impl.TransportImpl;
import org.apache.qpid.proton.engine.impl.TransportInternal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection: a socket, a protocol engine, and the handlers of its links. */
final class AmqpConnection {
    private static final Logger log = LoggerFactory.getLogger(AmqpConnection.class);
    private static final int MAX_FRAME = 65_536;
    /** A client that has connected and does not speak is dropped. */
    private static final int OPEN_WITHIN_MILLIS = 60_000;

    private static final int IDLE_TIMEOUT_MILLIS = 120_000;
    private static final int SHORTEST_BEAT_MILLIS = 10;

    private final Broker broker;
    private final Set<LingeringClose> lingering;
    private final Consumer<AmqpConnection> gone;
    private final Transport transport = Proton.transport();
    private final Connection engine = Proton.connection();
    private final WebSocketLayer webSocket = new WebSocketLayer();
    private final Collector events = Proton.collector();
    private final Enlistment enlistment;
    private final Permissions permissions;
    private final TokenWatch tokens;
    private final Wire wire;
    private final LinkRouter router;
    private final Timers.Timer patience;
    private final OpenLinks links;
    private final HalfReceived half;
    private final Unread unread = new Unread();
    private Timers.@Nullable Timer heartbeat;
    private boolean touched;
    private boolean ended;

    /** @param lingering has the socket as long as it outlasts the connection */
    AmqpConnection(Broker broker, SocketChannel channel, Set<LingeringClose> lingering, Consumer<AmqpConnection> gone)
            throws IOException {
        this.broker = broker;
        this.lingering = lingering;
        this.gone = gone;
        transport.setMaxFrameSize(MAX_FRAME);
        transport.setIdleTimeout(IDLE_TIMEOUT_MILLIS);
        transport.setEmitFlowEventOnSend(false);
        Sasl sasl = transport.sasl();
        sasl.server();
        sasl.setMechanisms("MSSBCBS", "ANONYMOUS", "PLAIN", "EXTERNAL");
        sasl.setListener(new AnonymousSasl());
        ((TransportInternal) transport).addTransportLayer(webSocket);
        ((TransportImpl) transport).setProtocolTracer(new FrameGuard());
        if (broker.tls() != null) {
            secure(broker.tls());
        }
        this.permissions =
                new Permissions(broker.authority(), () -> broker.loop().clock().wallMillis() / 1_000);
        this.tokens = new TokenWatch(broker, this);
        this.half = new HalfReceived(broker.namespace().context().limits().messageBytes());
        this.links = new OpenLinks(this::forget);
        engine.collect(events);
        transport.bind(engine);
        this.wire = new Wire(broker.loop(), channel, transport, this::ready, this::dispatch);
        this.enlistment = new Enlistment(
                new Transactions(broker.loop().deadlines(), broker.allowances().transactions()));
        this.router = new LinkRouter(broker, this);
        this.patience = broker.loop().network().in(OPEN_WITHIN_MILLIS, this::goAway);
        touch();
    }

    private void secure(SSLContext identity) {
        SslDomain domain = Proton.sslDomain();
        domain.init(SslDomain.Mode.SERVER);
        domain.setPeerAuthentication(SslDomain.VerifyMode.ANONYMOUS_PEER);
        domain.setSslContext(identity);
        transport.ssl(domain);
    }

    /** Something is to be written: at the end of this turn. */
    void touch() {
        if (!touched && !ended) {
            touched = true;
            broker.loop().later(this::flush);
        }
    }

    private void flush() {
        touched = false;
        guarded(() -> {
            if (!ended && !wire.write()) {
                end();
            }
            unread.written();
        });
    }

    private void ready() {
        guarded(() -> {
            boolean open = ended || !wire.readable() || wire.read();
            if (open) {
                touch();
            } else if (!ended) {
                wire.write();
                end();
            }
        });
    }

    // The engine throws at bytes that are not AMQP, and recurses as deep as they are nested. The broker then closes
    // the connection.
    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError e) {
            log.debug("A connection is dropped: {}", e.toString());
            tell();
            end();
        }
    }

    // Writes the bytes that the engine had ready before it failed: they may tell the client why. Over TLS it fails at
    // whatever comes behind the error.
    private void tell() {
        try {
            if (!ended) {
                wire.write();
            }
        } catch (RuntimeException | StackOverflowError e) {
            log.debug("The last bytes before a dropped connection could not be written", e);
        }
    }

    /** Reads nothing from the client for a while. */
    void stallReads(Duration duration) {
        wire.stall(true);
        broker.loop().network().in(duration.toMillis(), () -> {
            if (!ended) {
                wire.stall(false);
                ready();
            }
        });
    }

    /** Cuts the connection, as a failing network does. */
    void drop() {
        wire.cut();
        end();
    }

    /** Ends the connection, because the broker ends or is tired of waiting; a Web Socket is told so. */
    void goAway() {
        if (webSocket.goAway()) {
            guarded(wire::write);
        }
        end();
    }

    /** Says why, and closes. */
    void close(Refused why) {
        engine.setCondition(Errors.condition(why));
        engine.close();
        touch();
    }

    // Each part for itself: a part that fails must not leave the others, or the connection itself, behind.
    private void end() {
        if (ended) {
            return;
        }
        ended = true;
        gone.accept(this);
        patience.cancel();
        tokens.stop();
        wire.close(lingering);
        if (heartbeat != null) {
            heartbeat.cancel();
        }
        links.forgetAll();
        OpenLinks.inAnyCase(enlistment.transactions()::rollBackAll);
        forgetEngine();
    }

    // The engine counts its own references. When links or sessions were freed on the way it may count one too many and
    // throw; nothing refers to it any more, and it goes with the connection.
    private void forgetEngine() {
        try {
            transport.unbind();
            engine.free();
        } catch (RuntimeException | StackOverflowError e) {
            log.debug("Clean-up of a closed connection's protocol engine failed", e);
        }
    }

    OpenLinks links() {
        return links;
    }

    TokenWatch tokens() {
        return tokens;
    }

    Unread unread() {
        return unread;
    }

    Permissions permissions() {
        return permissions;
    }

    Enlistment enlistment() {
        return enlistment;
    }

    boolean ended() {
        return ended;
    }

    private void dispatch() {
        for (Event event = events.peek(); event != null && !ended; event = events.peek()) {
            try {
                handle(event);
            } catch (RuntimeException e) {
                log.warn("A client's {} could not be handled; its connection is dropped", event.getType(), e);
                drop();
            }
            events.pop();
        }
    }

    private void handle(Event event) {
        switch (event.getType()) {
            case CONNECTION_REMOTE_OPEN -> opened();
            case CONNECTION_REMOTE_CLOSE -> engine.close();
            case SESSION_REMOTE_OPEN -> event.getSession().open();
            case SESSION_REMOTE_CLOSE -> sessionClosed(event);
            case LINK_REMOTE_OPEN -> attached(event.getLink());
            case LINK_REMOTE_CLOSE, LINK_REMOTE_DETACH -> links.closed(event);
            case LINK_FLOW -> OpenLinks.handler(event.getLink()).flow();
            case DELIVERY -> delivered(event.getDelivery());
            case TRANSPORT_ERROR -> log.debug("Protocol error: {}", transport.getCondition());
            default -> {
                // The engine's own book-keeping.
            }
        }
    }

    private void opened() {
        patience.cancel();
        FaultGate.pass(broker, FaultPoint.CONNECT, () -> FaultEvent.of(FaultPoint.CONNECT, "", ""), new Step(this) {
            @Override
            void proceed() {
                engine.setContainer("embedded-service-bus");
                engine.open();
                beat();
            }

            @Override
            void reject(Refused why) {
                engine.open();
                close(why);
            }
        });
    }

    private void beat() {
        long now = broker.loop().network().now();
        long next = transport.tick(now);
        if (next > 0 && !ended) {
            // The client chooses how often it wants to hear; some choices mean at once, again and again.
            heartbeat = broker.loop().network().at(Math.max(next, now + SHORTEST_BEAT_MILLIS), this::beat);
        }
        touch();
    }

    private void delivered(Delivery delivery) {
        links.delivery(delivery);
        if (!half.fits(delivery)) {
            detach(
                    delivery.getLink(),
                    new Refused(
                            BrokerError.RESOURCE_LIMIT_EXCEEDED,
                            "The connection has begun too many messages that it has not ended."));
        }
    }

    private void attached(Link link) {
        if (links.add(link)) {
            router.attach(link);
        } else {
            // The engine has one link for both, and the first attach's receiver would never be told of the end.
            close(new Refused(
                    BrokerError.NOT_ALLOWED,
                    "A link of the name '" + link.getName() + "' is attached to this session already."));
        }
    }

    private void sessionClosed(Event event) {
        links.ended(event.getSession());
        event.getSession().close();
        event.getSession().free();
    }

    private void forget(Link link) {
        tokens.forget(link);
        half.forget(link);
    }

    /** Closes a link from this side, with a reason. */
    void detach(Link link, Refused why) {
        if (ended || link.getLocalState() == EndpointState.CLOSED) {
            return;
        }
        if (link.getLocalState() == EndpointState.UNINITIALIZED) {
            // It waits for a session, and is told by its attach that there is none.
            LinkRouter.refuse(this, link, why);
            return;
        }
        links.forget(link);
        link.setCondition(Errors.condition(why));
        link.close();
        Discarded.from(link);
        touch();
    }
}
