package dev.waybill.inbox;

import dev.waybill.inbox.ConsumerListener.Outcome;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a message that is not done: the consumer's policy, carried out. Thread-safe. */
final class Disposal {
    private static final Logger LOG = LoggerFactory.getLogger(Disposal.class);

    private final EntityFacts facts;
    private final DeliveryPolicy policy;
    private final SessionCloses closes;
    private final ConsumerListener listener;

    Disposal(EntityFacts facts, DeliveryPolicy policy, SessionCloses closes, ConsumerListener listener) {
        this.facts = facts;
        this.policy = policy;
        this.closes = closes;
        this.listener = listener;
    }

    /** Nothing will make this message work. */
    boolean failed(Receiver receiver, InboundMessage message, String reason, String description) {
        receiver.deadLetter(message, reason, description);
        listener.settled(message, facts.deletesOnReceive() ? Outcome.DROPPED : Outcome.DEAD_LETTERED);
        return true;
    }

    /** The time for tries in place is over. */
    boolean exhausted(Receiver receiver, InboundMessage message, String reason, String description) {
        boolean last =
                facts.sessions() || facts.deletesOnReceive() || message.deliveryCount() >= policy.maxDeliveries();
        return last ? failed(receiver, message, reason, description) : abandon(receiver, message);
    }

    /** The message is not to blame, or has asked for more time than it can have in place. */
    boolean postponed(Receiver receiver, InboundMessage message, String reason, String description)
            throws SQLException {
        if (!facts.sessions() || receiver.session().isEmpty()) {
            return exhausted(receiver, message, reason, description);
        }
        if (closes.count(receiver.session().get(), message) >= policy.maxCloses()) {
            return failed(receiver, message, reason, description);
        }
        LOG.warn("Message '{}' is not done in time; its session is given back", message.id());
        return false;
    }

    /** The consumer stops. Inside a session the message keeps its place; elsewhere it should not wait for its lock to end. */
    boolean stopped(Receiver receiver, InboundMessage message) {
        return !facts.sessions() && !facts.deletesOnReceive() && abandon(receiver, message);
    }

    private boolean abandon(Receiver receiver, InboundMessage message) {
        receiver.abandon(message);
        listener.settled(message, Outcome.ABANDONED);
        return true;
    }
}
