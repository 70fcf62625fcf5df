package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.entity.Attached;
import dev.waybill.servicebus.embedded.entity.Destination;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import dev.waybill.servicebus.embedded.message.MalformedMessageException;
import dev.waybill.servicebus.embedded.message.MessageBatch;
import dev.waybill.servicebus.embedded.transaction.Sending;
import dev.waybill.servicebus.embedded.transaction.Work;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Receiver;

/** A client's sender: receives, stores and acknowledges transfers. */
final class SendLink implements LinkHandler, Attached {
    private static final int CREDIT = 1_000;
    /** Room for the envelope of a batch at the size limit. */
    private static final int SLACK = 64 * 1024;

    private final Broker broker;
    private final AmqpConnection connection;
    private final Receiver link;
    private final Destination destination;
    private boolean withheld;

    SendLink(Broker broker, AmqpConnection connection, Receiver link, Destination destination) {
        this.broker = broker;
        this.connection = connection;
        this.link = link;
        this.destination = destination;
    }

    void open() {
        destination.attach(this);
        link.flow(CREDIT);
    }

    @Override
    public void lost(Refused why) {
        connection.detach(link, why);
    }

    @Override
    public void closed() {
        destination.detach(this);
    }

    /** Takes this turn's credit back before the client sees it. */
    void withholdCredit() {
        link.flow(-link.getCredit());
        withheld = true;
    }

    @Override
    public void delivery(Delivery delivery) {
        // There is one event per interrupted frame; the first may have handled the whole delivery.
        if (delivery != link.current()) {
            return;
        }
        if (delivery.isAborted()) {
            // In this order, because settling the current delivery also advances the link.
            link.advance();
            delivery.settle();
            replenish();
        } else if (delivery.pending() > destination.maxMessageBytes() + SLACK) {
            connection.detach(link, tooLarge(delivery.pending()));
        } else if (!delivery.isPartial()) {
            byte[] bytes = new byte[delivery.pending()];
            link.recv(bytes, 0, bytes.length);
            link.advance();
            replenish();
            received(delivery, bytes);
        }
    }

    private Refused tooLarge(int size) {
        return new Refused(
                BrokerError.MESSAGE_SIZE_EXCEEDED,
                "The received message (size: " + size + ") exceeds the limit (" + destination.maxMessageBytes()
                        + ") currently allowed on the link.");
    }

    /** In Azure's words, which do not name the limit. */
    private void refuseBatch(Delivery delivery, int size) {
        Refused why = size > destination.maxMessageBytes()
                ? tooLarge(size)
                : new Refused(
                        BrokerError.NOT_ALLOWED,
                        "The link '" + link.getName() + "' is force detached by the broker because publisher(link1)"
                                + " received a batch message with no data in it. Detach origin: Publisher.");
        acknowledge(delivery, Errors.rejected(why));
        connection.detach(link, why);
    }

    private void replenish() {
        if (!withheld && link.getCredit() < CREDIT / 2) {
            link.flow(CREDIT - link.getCredit());
        }
    }

    private void received(Delivery delivery, byte[] bytes) {
        if (delivery.getMessageFormat() == MessageBatch.FORMAT && bytes.length > destination.maxBatchBytes()) {
            refuseBatch(delivery, bytes.length);
            return;
        }
        List<BrokerMessage> messages;
        try {
            messages = MessageBatch.parse(bytes, delivery.getMessageFormat());
        } catch (MalformedMessageException e) {
            acknowledge(delivery, Errors.rejected(new Refused(BrokerError.INVALID_FIELD, e.getMessage() + "")));
            return;
        }
        Transfer transfer = new Transfer(delivery, messages);
        if (delivery.getRemoteState() instanceof TransactionalState state) {
            enlist(delivery, messages, state);
            return;
        }
        FaultGate.pass(broker, FaultPoint.BEFORE_STORE, transfer.event(FaultPoint.BEFORE_STORE), transfer);
    }

    private void admit(List<BrokerMessage> messages) {
        broker.credits().spend(messages.size());
        destination.check(messages);
    }

    private void enlist(Delivery delivery, List<BrokerMessage> messages, TransactionalState state) {
        try {
            admit(messages);
            connection.enlistment().enlist(state, link, destination.path(), new Work() {
                @Override
                public void check() {
                    destination.check(messages);
                }

                @Override
                public Sending sending() {
                    return Sending.of(destination, messages);
                }

                @Override
                public void apply() {
                    destination.store(messages);
                }
            });
            acknowledge(delivery, Enlistment.within(state, Accepted.getInstance()));
        } catch (Refused why) {
            connection.enlistment().doom(state, why);
            acknowledge(delivery, Errors.rejected(why));
        }
    }

    private void acknowledge(Delivery delivery, DeliveryState state) {
        if (!connection.ended()) {
            delivery.disposition(state);
            delivery.settle();
            connection.touch();
        }
    }

    private final class Transfer extends Step {
        private final Delivery delivery;
        private final List<BrokerMessage> messages;

        Transfer(Delivery delivery, List<BrokerMessage> messages) {
            super(SendLink.this.connection);
            this.delivery = delivery;
            this.messages = messages;
        }

        Supplier<FaultEvent> event(FaultPoint point) {
            return () -> new FaultEvent(
                    point,
                    destination.path(),
                    "send",
                    messages.stream()
                            .map(BrokerMessage::messageId)
                            .filter(Objects::nonNull)
                            .toList(),
                    messages.isEmpty() ? null : messages.get(0).sessionId());
        }

        @Override
        void proceed() {
            try {
                admit(messages);
            } catch (Refused why) {
                reject(why);
                return;
            }
            destination.store(messages);
            Stored stored = new Stored(delivery);
            FaultGate.pass(broker, FaultPoint.STORED_BEFORE_ACK, event(FaultPoint.STORED_BEFORE_ACK), stored);
        }

        @Override
        void reject(Refused why) {
            acknowledge(delivery, Errors.rejected(why));
        }

        @Override
        void detach(Refused why) {
            connection.detach(link, why);
        }

        @Override
        void pretend() {
            acknowledge(delivery, Accepted.getInstance());
        }
    }

    private final class Stored extends Step {
        private final Delivery delivery;

        Stored(Delivery delivery) {
            super(SendLink.this.connection);
            this.delivery = delivery;
        }

        @Override
        void proceed() {
            acknowledge(delivery, Accepted.getInstance());
        }

        @Override
        void reject(Refused why) {
            acknowledge(delivery, Errors.rejected(why));
        }

        @Override
        void detach(Refused why) {
            connection.detach(link, why);
        }
    }
}
