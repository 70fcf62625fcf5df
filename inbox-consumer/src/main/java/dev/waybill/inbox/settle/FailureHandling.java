package dev.waybill.inbox.settle;

import dev.waybill.hold.Cause;
import dev.waybill.inbox.ConsumerListener.Outcome;
import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.defer.DeferringAttempt;
import dev.waybill.inbox.event.MessageEvents;
import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.record.ContentChecksum;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.transaction.AttemptOutcome;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the consumer's policy for a message that is not done: database first, broker last. Thread-safe. */
public final class FailureHandling {
    private static final Logger LOG = LoggerFactory.getLogger(FailureHandling.class);
    private static final Traces TRACES = new Traces();

    private final EntityDescription facts;
    private final ConsumerSettings settings;
    private final MessageEvents events;
    private final HoldWriter holding;
    private final SessionCloses closes;
    private final DeferralTable deferrals;

    public FailureHandling(
            EntityDescription facts,
            ConsumerSettings settings,
            MessageEvents events,
            HoldWriter holding,
            SessionCloses closes,
            DeferralTable deferrals) {
        this.facts = facts;
        this.settings = settings;
        this.events = events;
        this.holding = holding;
        this.closes = closes;
        this.deferrals = deferrals;
    }

    public Handled dispose(Settlements settling, InboundMessage message, AttemptOutcome last)
            throws SQLException, InterruptedException {
        if (last.result() != null && last.result().isHeld()) {
            @Nullable String hold = last.result().recorded().holdKey();
            var behind = new Cause("BehindHold", "Its session is held, and the message cannot be stored");
            return hold(settling, message, behind, () -> holding.join(message, hold, settling.fence()));
        }
        if (last.blameless() && !facts.deletesOnReceive()) {
            return left(settling, message);
        }
        var cause = new Cause(last.reason(), last.description());
        if (last.verdict() instanceof Verdict.Defer defer && !facts.deletesOnReceive()) {
            return defer(
                    settling,
                    message,
                    last.deferring(defer.key(), settling.fence(), DeferringAttempt.Limits.of(settings, facts)));
        }
        if (last.verdict() instanceof Verdict.Retry retry && !facts.deletesOnReceive()) {
            return postpone(settling, message, cause, retry.after());
        }
        if (last.isFinal()) {
            return failed(settling, message, cause);
        }
        return (last.kind() == FailureKind.TRANSIENT && facts.sessions())
                ? giveBack(settling, message, cause)
                : exhausted(settling, message, cause);
    }

    public Handled failed(Settlements settling, InboundMessage message, Cause cause)
            throws SQLException, InterruptedException {
        if (settings.policies().onFailure() == OnFailure.HOLD_SESSION && !facts.deletesOnReceive()) {
            return hold(settling, message, cause, () -> holding.park(message, cause, settling.fence()));
        }
        return deadLetter(settling, message, cause);
    }

    private Handled deadLetter(Settlements settling, InboundMessage message, Cause cause)
            throws SQLException, InterruptedException {
        Outcome outcome = facts.deletesOnReceive() ? Outcome.DROPPED : Outcome.DEAD_LETTERED;
        boolean deferred = isDeferred(settling, message);
        settling.deadLetter(message, cause.reason(), cause.description(), outcome);
        log(message, cause);
        events.gone(message, outcome, cause.reason(), cause.description());
        if (deferred) {
            forgetDeferral(message);
        }
        return Handled.SETTLED;
    }

    // Without a collector, nothing but this line and the broker knows it.
    private void log(InboundMessage message, Cause cause) {
        String first = cause.description().lines().findFirst().orElse("");
        LOG.warn(
                facts.deletesOnReceive()
                        ? "Message '{}' is dropped from '{}', given up by consumer '{}': {}"
                        : "Message '{}' is in the dead-letter queue of '{}', given up by consumer '{}': {}",
                message.id(),
                facts.path(),
                settings.store().consumer(),
                first.startsWith(cause.reason()) ? first : cause.reason() + ": " + first);
    }

    // Commits that the message leaves the entity, in case this process ends before it deletes the deferral.
    private boolean isDeferred(Settlements settling, InboundMessage message) throws SQLException {
        return !facts.deletesOnReceive() && deferrals.leaving(message, settings.longestAttempt(), settling.fence());
    }

    private void forgetDeferral(InboundMessage message) {
        try {
            deferrals.forgetLeft(message);
        } catch (SQLException e) {
            TRACES.warn(LOG, "The deferral of message '" + message.id() + "' could not be deleted yet", e);
        }
    }

    // The consumer stops. A session keeps the message in its place; without sessions, abandoning it spares the wait for
    // its lock to end.
    public Handled stopped(Settlements settling, InboundMessage message) throws InterruptedException {
        return facts.sessions() || facts.deletesOnReceive() ? Handled.UNSETTLED : abandon(settling, message);
    }

    // No handler ran, so the attempt does not count.
    private Handled left(Settlements settling, InboundMessage message) throws InterruptedException {
        LOG.warn("Message '{}' could not be recorded in time; it comes again", message.id());
        return facts.sessions() ? Handled.UNSETTLED : abandon(settling, message);
    }

    private Handled exhausted(Settlements settling, InboundMessage message, Cause cause)
            throws SQLException, InterruptedException {
        boolean last = facts.sessions()
                || facts.deletesOnReceive()
                || message.deliveryCount() >= settings.policies().deliveries().maxDeliveries();
        return last ? failed(settling, message, cause) : abandon(settling, message);
    }

    // The handler's delay exceeds the time under a lock.
    private Handled postpone(Settlements settling, InboundMessage message, Cause cause, Duration rest)
            throws SQLException, InterruptedException {
        return hold(settling, message, cause, () -> holding.postpone(message, cause, rest, settling.fence()));
    }

    private Handled giveBack(Settlements settling, InboundMessage message, Cause cause)
            throws SQLException, InterruptedException {
        if (closes.count(settling, message) >= settings.policies().deliveries().maxCloses()) {
            return failed(settling, message, cause);
        }
        LOG.warn("Message '{}' failed until its time was over; its session is given back", message.id());
        return Handled.UNSETTLED;
    }

    // The number is stored first: a deferred message without a stored number is lost.
    private Handled defer(Settlements settling, InboundMessage message, DeferringAttempt attempt)
            throws SQLException, InterruptedException {
        Optional<InboundMessage> other = otherCopy(settling, message);
        if (other.isPresent() && other.get().sequenceNumber() < message.sequenceNumber()) {
            return deferOne(settling, other.get(), message, attempt);
        }
        return deferOne(settling, message, other.orElse(null), attempt);
    }

    // Only one number is stored per message, so the first copy keeps its place. A second copy would stay on the broker
    // for ever.
    private Handled deferOne(
            Settlements settling, InboundMessage first, @Nullable InboundMessage other, DeferringAttempt attempt)
            throws SQLException, InterruptedException {
        deferrals.store(first, attempt);
        settling.defer(first);
        if (other != null) {
            var checksum = new ContentChecksum(settings.application().codec() == null);
            settling.complete(other, checksum.isOther(first, other) ? Outcome.OTHER_CONTENT : Outcome.DUPLICATE);
            settling.confirm(0);
        }
        return Handled.SETTLED;
    }

    private Optional<InboundMessage> otherCopy(Settlements settling, InboundMessage message) throws SQLException {
        Optional<Long> number = deferrals.otherCopy(message);
        return number.isEmpty()
                ? Optional.empty()
                : settling.receiveDeferred(number.get())
                        .filter(found -> found.id().equals(message.id()));
    }

    private Handled hold(Settlements settling, InboundMessage message, Cause otherwise, BooleanSupplier how)
            throws SQLException, InterruptedException {
        boolean held;
        try {
            held = how.getAsBoolean();
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            // A foreign producer's property or body that no row can store: the broker can keep it.
            TRACES.warn(LOG, "Message '" + message.id() + "' cannot be held and is dead-lettered", e);
            return deadLetter(settling, message, otherwise);
        } catch (DataAccessException e) {
            if (!DatabaseErrors.isRefusedValue(e)) {
                throw e;
            }
            TRACES.warn(LOG, "Message '" + message.id() + "' cannot be held and is dead-lettered", e);
            String description = "It cannot be held: " + FailureText.brief(e) + "\n" + otherwise.description();
            return deadLetter(settling, message, new Cause(otherwise.reason(), description));
        }
        boolean deferred = isDeferred(settling, message);
        settling.complete(message, held ? Outcome.HELD : Outcome.DUPLICATE);
        if (deferred) {
            settling.confirm(0);
            forgetDeferral(message);
        }
        return Handled.SETTLED;
    }

    private Handled abandon(Settlements settling, InboundMessage message) throws InterruptedException {
        settling.abandon(message);
        return Handled.SETTLED;
    }
}
