package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.AmqpCodec;
import dev.waybill.servicebus.embedded.message.MalformedMessageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection's end of a node that answers requests: links that bring them, links that take the answers. */
final class RequestNode {
    static final int CREDIT = 100;
    /** With so many answers on their way the client may ask no more until it takes some. */
    private static final int MOST_WAITING = 20;

    private static final long LOOK_AGAIN_MILLIS = 10;
    static final int MAX_REQUEST_BYTES = 4 * 1024 * 1024;
    private static final Logger log = LoggerFactory.getLogger(RequestNode.class);

    /** The operations of the node. */
    interface Service {
        /** Handles a request and answers it, at once or later, or never. */
        void handle(Message request, Exchange exchange);
    }

    private final Broker broker;
    private final AmqpConnection connection;
    private final Service service;
    private final Set<Sender> responses = new LinkedHashSet<>();
    private final List<Receiver> owed = new ArrayList<>();
    private long tags;

    RequestNode(Broker broker, AmqpConnection connection, Service service) {
        this.broker = broker;
        this.connection = connection;
        this.service = service;
    }

    LinkHandler requests(Receiver link) {
        return new Requests(link);
    }

    LinkHandler responses(Sender link) {
        responses.add(link);
        return new LinkHandler() {
            @Override
            public void closed() {
                responses.remove(link);
            }
        };
    }

    private final class Requests implements LinkHandler {
        private final Receiver link;

        Requests(Receiver link) {
            this.link = link;
        }

        @Override
        public void closed() {
            owed.removeIf(link::equals);
        }

        @Override
        public void delivery(Delivery delivery) {
            if (delivery != link.current()) {
                return;
            }
            if (delivery.isAborted()) {
                // In this order: settling the current delivery advances the link by itself.
                link.advance();
                delivery.settle();
                grant(link);
                return;
            }
            if (delivery.pending() > MAX_REQUEST_BYTES) {
                connection.detach(link, new Refused(BrokerError.MESSAGE_SIZE_EXCEEDED, "The request is too large."));
                return;
            }
            if (delivery.isPartial() || !delivery.isReadable()) {
                return;
            }
            byte[] bytes = new byte[delivery.pending()];
            link.recv(bytes, 0, bytes.length);
            link.advance();
            Message request;
            try {
                request = AmqpCodec.message(bytes);
            } catch (MalformedMessageException e) {
                delivery.disposition(Errors.rejected(new Refused(BrokerError.DECODE_ERROR, e.getMessage() + "")));
                delivery.settle();
                grant(link);
                return;
            }
            TransactionalState transaction =
                    delivery.getRemoteState() instanceof TransactionalState state ? state : null;
            delivery.disposition(
                    transaction == null
                            ? Accepted.getInstance()
                            : Enlistment.within(transaction, Accepted.getInstance()));
            delivery.settle();
            grant(link);
            service.handle(request, new Exchange(RequestNode.this, link, request, transaction));
        }
    }

    /** Lets the client ask once more, now or when it takes its answers: they would pile up here. */
    private void grant(Receiver link) {
        if (waiting() < MOST_WAITING) {
            link.flow(1);
            return;
        }
        if (owed.isEmpty()) {
            lookAgain();
        }
        owed.add(link);
    }

    private int waiting() {
        return responses.stream().mapToInt(Sender::getQueued).sum();
    }

    // Answers leave when there is credit and the client reads: the engine tells of the first alone.
    private void lookAgain() {
        broker.loop().network().in(LOOK_AGAIN_MILLIS, () -> {
            if (connection.ended()) {
                owed.clear();
            } else if (waiting() < MOST_WAITING) {
                owed.forEach(link -> link.flow(1));
                owed.clear();
                connection.touch();
            } else {
                lookAgain();
            }
        });
    }

    /** The application properties of the request; empty if it has no such section, or an empty one. */
    static Map<String, Object> properties(Message request) {
        ApplicationProperties section = request.getApplicationProperties();
        return section == null || section.getValue() == null ? Map.of() : section.getValue();
    }

    AmqpConnection connection() {
        return connection;
    }

    Broker broker() {
        return broker;
    }

    /** Sends a reply to the address that the request names. */
    void answer(@Nullable String replyTo, byte[] response) {
        Sender link = responseLink(replyTo);
        if (link == null || connection.ended()) {
            log.debug("No link receives the reply for {}", replyTo);
            return;
        }
        Delivery delivery = link.delivery(Long.toHexString(tags++).getBytes(StandardCharsets.UTF_8));
        link.send(response, 0, response.length);
        delivery.settle();
        link.advance();
        connection.touch();
    }

    /** The most bytes that the link for answers takes, as its client said when it attached it. */
    long largestAnswer(@Nullable String replyTo) {
        Sender link = responseLink(replyTo);
        UnsignedLong most = link == null ? null : link.getRemoteMaxMessageSize();
        return most == null || most.longValue() <= 0 ? Long.MAX_VALUE : most.longValue();
    }

    private @Nullable Sender responseLink(@Nullable String replyTo) {
        for (Sender link : responses) {
            if (link.getName().equals(replyTo)
                    || (link.getRemoteTarget() instanceof Target target
                            && replyTo != null
                            && replyTo.equals(target.getAddress()))) {
                return link;
            }
        }
        return responses.isEmpty() ? null : responses.iterator().next();
    }
}
