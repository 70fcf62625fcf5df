package dev.waybill.inbox.settle;

import dev.waybill.inbox.ConsumerListener.Outcome;
import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.event.MessageEvents;
import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.transaction.DatabaseGate;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disposes of a message when handling and the policies themselves failed. The message is counted and comes again. In the end it is
 * dead-lettered, which needs only the broker. Thread-safe.
 */
public final class FallbackDisposal {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackDisposal.class);
    private static final Traces TRACES = new Traces();

    private final EntityDescription facts;
    private final ConsumerSettings settings;
    private final MessageEvents events;
    private final SessionCloses closes;
    private final DatabaseGate gate;
    private final WorkerClock clock;

    public FallbackDisposal(
            EntityDescription facts,
            ConsumerSettings settings,
            MessageEvents events,
            SessionCloses closes,
            DatabaseGate gate,
            WorkerClock clock) {
        this.facts = facts;
        this.settings = settings;
        this.events = events;
        this.closes = closes;
        this.gate = gate;
        this.clock = clock;
    }

    /** Throws {@link IllegalStateException} if the consumer lacks a grant, which is no message's fault. */
    public Handled take(Settlements settling, InboundMessage message, Throwable met) throws InterruptedException {
        if (DatabaseErrors.isDatabaseDown(met)) {
            gate.shut(met);
            return Handled.UNSETTLED;
        }
        if (DatabaseErrors.isDenied(met)) {
            throw new IllegalStateException(
                    "Message '" + message.id()
                            + "' is unsettled, because the consumer's role lacks a grant of Role.CONSUMER",
                    met);
        }
        TRACES.warn(LOG, "Message '" + message.id() + "' could be neither handled nor settled by the policies", met);
        try {
            return counted(settling, message, met);
        } catch (SQLException e) {
            if (DatabaseErrors.isDatabaseDown(e)) {
                gate.shut(e);
                return Handled.UNSETTLED;
            }
            if (settling.fence() != null && DatabaseErrors.isBusy(e)) {
                LOG.info("Message '{}' is unsettled, because another worker has its session", message.id());
                return Handled.UNSETTLED;
            }
            throw new IllegalStateException(
                    "Message '" + message.id() + "' is unsettled, and its failure could not be counted", e);
        }
    }

    private Handled counted(Settlements settling, InboundMessage message, Throwable met)
            throws SQLException, InterruptedException {
        int times = facts.sessions()
                ? closes.count(settling, message)
                : Math.toIntExact(Math.min(message.deliveryCount(), Integer.MAX_VALUE));
        int most = facts.sessions()
                ? settings.policies().deliveries().maxCloses()
                : settings.policies().deliveries().maxDeliveries();
        if (facts.deletesOnReceive() || times >= most) {
            Outcome outcome = facts.deletesOnReceive() ? Outcome.DROPPED : Outcome.DEAD_LETTERED;
            String description = "It could be neither handled nor held nor deferred, " + times + " times. "
                    + FailureText.description(met);
            settling.deadLetter(message, FailureText.reason(met), description, outcome);
            events.gone(message, outcome, FailureText.reason(met), description);
            return Handled.SETTLED;
        }
        if (facts.sessions()) {
            // Under the message's lock, so that no other worker repeats the failure at once.
            clock.sleep().during(settings.policies().retries().rest(times));
            return Handled.UNSETTLED;
        }
        settling.abandon(message);
        return Handled.SETTLED;
    }
}
