package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.entity.Destination;
import dev.waybill.servicebus.embedded.entity.SendVia;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.mailbox.Lookup;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Receiving;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.management.ManagementNode;
import dev.waybill.servicebus.embedded.security.AccessRight;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transaction.Coordinator;
import org.apache.qpid.proton.amqp.transport.ReceiverSettleMode;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;
import org.jspecify.annotations.Nullable;

/** Chooses a handler when a client attaches a link. */
final class LinkRouter {
    private static final Symbol MAX_BATCH_SIZE = Symbol.valueOf("com.microsoft:max-message-batch-size");
    private static final Symbol TRANSFER_DESTINATION = Symbol.valueOf("com.microsoft:transfer-destination-address");
    private static final String MANAGEMENT = "/$management";
    private static final String CBS = "$cbs";

    private final Broker broker;
    private final AmqpConnection connection;
    private final Map<String, RequestNode> nodes = new HashMap<>();

    LinkRouter(Broker broker, AmqpConnection connection) {
        this.broker = broker;
        this.connection = connection;
    }

    void attach(Link link) {
        if (link.getRemoteTarget() instanceof Coordinator && link instanceof Receiver requests) {
            link.setTarget(link.getRemoteTarget());
            link.setSource(link.getRemoteSource());
            new CoordinatorLink(broker, connection, requests, connection.enlistment()).open();
            return;
        }
        boolean sends = link instanceof Receiver;
        String path;
        try {
            path = path(sends ? targetOf(link) : sourceOf(link));
        } catch (Refused why) {
            refuse(connection, link, why);
            return;
        }
        FaultGate.pass(
                broker,
                FaultPoint.ATTACH,
                () -> FaultEvent.of(FaultPoint.ATTACH, path, sends ? "send" : "receive"),
                new Step(connection) {
                    @Override
                    void proceed() {
                        attach(link, path);
                    }

                    @Override
                    void withholdCredit() {
                        attach(link, path);
                        if (link instanceof Receiver && link.getContext() instanceof SendLink sender) {
                            sender.withholdCredit();
                        }
                    }

                    @Override
                    void reject(Refused why) {
                        refuse(connection, link, why);
                    }

                    @Override
                    void detach(Refused why) {
                        refuse(connection, link, why);
                    }
                });
    }

    private void attach(Link link, String path) {
        if (connection.ended() || link.getRemoteState() == EndpointState.CLOSED) {
            // The client closed the link before a delayed attach.
            return;
        }
        try {
            if (path.equals(CBS)) {
                attachNode(link, path);
            } else if (isNode(path)) {
                connection.permissions().require(path, null);
                attachNode(link, path);
            } else if (link instanceof Receiver receiver) {
                connection.tokens().require(link, path, AccessRight.SEND);
                attachSender(receiver, path);
            } else {
                connection.tokens().require(link, path, AccessRight.LISTEN);
                attachReceiver((Sender) link, path);
            }
        } catch (Refused why) {
            refuse(connection, link, why);
        }
        connection.touch();
    }

    private static boolean isNode(String path) {
        return path.equals(CBS) || path.toLowerCase(Locale.ROOT).endsWith(MANAGEMENT);
    }

    private void attachNode(Link link, String path) {
        RequestNode node = nodes.get(path.toLowerCase(Locale.ROOT));
        if (node == null) {
            node = new RequestNode(broker, connection, service(path));
            nodes.put(path.toLowerCase(Locale.ROOT), node);
        }
        echo(link);
        if (link instanceof Receiver requests) {
            link.setMaxMessageSize(UnsignedLong.valueOf(RequestNode.MAX_REQUEST_BYTES));
            link.setContext(node.requests(requests));
            link.open();
            requests.flow(RequestNode.CREDIT);
        } else {
            link.setContext(node.responses((Sender) link));
            link.open();
        }
    }

    private RequestNode.Service service(String path) {
        if (path.equals(CBS)) {
            return new TokenService(broker);
        }
        String entity = path.substring(0, path.length() - MANAGEMENT.length());
        return new ManagementService(broker, new ManagementNode(broker.namespace(), entity), entity);
    }

    private void attachSender(Receiver link, String path) {
        EntityKind.require(broker.namespace(), path, link.getRemoteProperties());
        Destination destination = destination(link, path);
        echo(link);
        link.setMaxMessageSize(UnsignedLong.valueOf(destination.maxMessageBytes()));
        Map<Symbol, Object> properties = new HashMap<>();
        properties.put(MAX_BATCH_SIZE, (long) destination.maxBatchBytes());
        link.setProperties(properties);
        SendLink handler = new SendLink(broker, connection, link, destination);
        link.setContext(handler);
        link.open();
        handler.open();
    }

    private Destination destination(Link link, String path) {
        Map<Symbol, Object> properties = link.getRemoteProperties();
        Object target = properties == null ? null : properties.get(TRANSFER_DESTINATION);
        if (target == null) {
            return broker.namespace().destination(path);
        }
        // Azure's client for Java before 7.0 requests a token for each of the two entities.
        String last = path(target.toString());
        connection.permissions().require(last, AccessRight.SEND);
        return new SendVia(broker.namespace(), path, last);
    }

    private void attachReceiver(Sender link, String path) {
        EntityKind.require(broker.namespace(), path, link.getRemoteProperties());
        Mailbox mailbox = broker.namespace().mailbox(path);
        Receiving.requireReceivable(mailbox);
        echo(link);
        Source source = link.getRemoteSource() instanceof Source remote ? remote : null;
        if (BrowseLink.isAskedBy(source)) {
            link.setContext(new BrowseLink(broker, connection, link, new Lookup(mailbox)));
            link.open();
            return;
        }
        if (source != null && SessionAccept.isAskedBy(source)) {
            new SessionAccept(broker, connection, link, source, mailbox).begin();
            return;
        }
        ReceiveLink handler = new ReceiveLink(broker, connection, link, mailbox);
        handler.attach();
        link.setContext(handler);
        link.open();
    }

    private static void echo(Link link) {
        link.setSource(link.getRemoteSource());
        link.setTarget(link.getRemoteTarget());
        link.setSenderSettleMode(link.getRemoteSenderSettleMode());
        ReceiverSettleMode mode = link.getRemoteReceiverSettleMode();
        link.setReceiverSettleMode(mode == null ? ReceiverSettleMode.FIRST : mode);
    }

    /** Answers an attach with a link without endpoints, and closes it with the reason. */
    static void refuse(AmqpConnection connection, Link link, Refused why) {
        connection.links().forget(link);
        link.setSource(null);
        link.setTarget(null);
        link.setCondition(Errors.condition(why));
        link.open();
        link.close();
        connection.touch();
    }

    private static @Nullable String targetOf(Link link) {
        return link.getRemoteTarget() instanceof Target target ? target.getAddress() : null;
    }

    private static @Nullable String sourceOf(Link link) {
        return link.getRemoteSource() instanceof Source source ? source.getAddress() : null;
    }

    /** The path of an address, which may be a URI. */
    static String path(@Nullable String address) {
        if (address == null) {
            throw new Refused(BrokerError.INVALID_FIELD, "The link has no address.");
        }
        String path = address;
        if (address.contains("://")) {
            try {
                path = URI.create(address).getPath();
            } catch (IllegalArgumentException e) {
                throw new Refused(BrokerError.INVALID_FIELD, "The address is no URI: " + address);
            }
        }
        return path.startsWith("/") ? path.substring(1) : path;
    }
}
