package dev.waybill.inbox;

import dev.waybill.hold.Cause;
import dev.waybill.inbox.ConsumerListener.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a message that is not done: the consumer's policy, carried out, database first and broker last.
 * Thread-safe.
 *
 * <p>Methods return false if the message was left unsettled and its receiver must be given up.
 */
final class Disposal {
    private static final Logger LOG = LoggerFactory.getLogger(Disposal.class);

    private final EntityFacts facts;
    private final ConsumerSettings settings;
    private final Holding holding;
    private final SessionCloses closes;
    private final Deferrals deferrals;
    private final Database database;

    Disposal(
            EntityFacts facts,
            ConsumerSettings settings,
            Holding holding,
            SessionCloses closes,
            Deferrals deferrals,
            Database database) {
        this.facts = facts;
        this.settings = settings;
        this.holding = holding;
        this.closes = closes;
        this.deferrals = deferrals;
        this.database = database;
    }

    /** The last try in place has not come to done. */
    boolean dispose(Receiver receiver, InboundMessage message, Try last) throws SQLException {
        if (last.result() != null && last.result().isHeld()) {
            @Nullable String hold = last.result().admission().holdKey();
            var behind = new Cause("BehindHold", "Its session is held, and the message cannot be stored");
            return hold(receiver, message, behind, () -> holding.join(message, hold));
        }
        var cause = new Cause(last.reason(), last.description());
        if (last.verdict() instanceof Verdict.Defer defer && !facts.deletesOnReceive()) {
            return defer(receiver, message, defer.key());
        }
        if (last.verdict() instanceof Verdict.Retry retry && !facts.deletesOnReceive()) {
            return postpone(receiver, message, cause, retry.after());
        }
        if (last.isFinal()) {
            return failed(receiver, message, cause);
        }
        return (last.kind() == FailureKind.TRANSIENT && facts.sessions())
                ? giveBack(receiver, message, cause)
                : exhausted(receiver, message, cause);
    }

    /** Nothing will make this message work. */
    boolean failed(Receiver receiver, InboundMessage message, Cause cause) {
        if (settings.onFailure == OnFailure.HOLD_SESSION && !facts.deletesOnReceive()) {
            return hold(receiver, message, cause, () -> holding.park(message, cause));
        }
        return deadLetter(receiver, message, cause);
    }

    private boolean deadLetter(Receiver receiver, InboundMessage message, Cause cause) {
        receiver.deadLetter(
                message, DeadLetterText.reason(cause.reason()), DeadLetterText.description(cause.description()));
        return settled(message, facts.deletesOnReceive() ? Outcome.DROPPED : Outcome.DEAD_LETTERED);
    }

    /** The consumer stops. Inside a session the message keeps its place; elsewhere it should not wait for its lock to end. */
    boolean stopped(Receiver receiver, InboundMessage message) {
        return !facts.sessions() && !facts.deletesOnReceive() && abandon(receiver, message);
    }

    private boolean exhausted(Receiver receiver, InboundMessage message, Cause cause) {
        boolean last = facts.sessions()
                || facts.deletesOnReceive()
                || message.deliveryCount() >= settings.deliveries.maxDeliveries();
        return last ? failed(receiver, message, cause) : abandon(receiver, message);
    }

    // It asked for more time than it can have under a lock.
    private boolean postpone(Receiver receiver, InboundMessage message, Cause cause, Duration rest) {
        return hold(receiver, message, cause, () -> holding.postpone(message, cause, rest));
    }

    private boolean giveBack(Receiver receiver, InboundMessage message, Cause cause) throws SQLException {
        String session = receiver.session().orElse("");
        if (closes.count(session, message) >= settings.deliveries.maxCloses()) {
            return failed(receiver, message, cause);
        }
        LOG.warn("Message '{}' is not done in time; its session is given back", message.id());
        return false;
    }

    // The number first: a message that the broker has set aside and nobody knows by number is lost.
    private boolean defer(Receiver receiver, InboundMessage message, String key) throws SQLException {
        deferrals.store(database, settings.name, message, key);
        receiver.defer(message);
        return settled(message, Outcome.DEFERRED);
    }

    private boolean hold(Receiver receiver, InboundMessage message, Cause otherwise, BooleanSupplier how) {
        boolean held;
        try {
            held = how.getAsBoolean();
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            // A foreign producer's property or body of a kind that no row can take: the broker can keep it.
            LOG.warn("Message '{}' cannot be held and is dead-lettered", message.id(), e);
            return deadLetter(receiver, message, otherwise);
        }
        receiver.complete(message);
        return settled(message, held ? Outcome.HELD : Outcome.DUPLICATE);
    }

    private boolean abandon(Receiver receiver, InboundMessage message) {
        receiver.abandon(message);
        return settled(message, Outcome.ABANDONED);
    }

    private boolean settled(InboundMessage message, Outcome outcome) {
        settings.listener.settled(message, outcome);
        return true;
    }
}
