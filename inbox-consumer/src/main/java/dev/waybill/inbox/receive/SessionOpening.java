package dev.waybill.inbox.receive;

import dev.waybill.hold.Cause;
import dev.waybill.inbox.BrokerSession;
import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Receiver;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.handle.FailureClassifier;
import dev.waybill.inbox.handle.MessageProcessor;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.settle.FailureHandling;
import dev.waybill.inbox.settle.Handled;
import dev.waybill.inbox.settle.SessionCloses;
import dev.waybill.inbox.settle.Settlements;
import dev.waybill.supervision.CountedFailure;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the session hook before the first message is handled. A failure of the hook counts against the session's next message, and in
 * the end the consumer's policy disposes of that message. Otherwise a hook that always fails would occupy its session for ever.
 * Thread-safe.
 */
public final class SessionOpening {
    private static final Logger LOG = LoggerFactory.getLogger(SessionOpening.class);
    private static final Traces TRACES = new Traces();

    private final ConsumerSettings settings;
    private final EntityDescription facts;
    private final MessageProcessor messages;
    private final FailureHandling disposal;
    private final SessionCloses closes;
    private final WorkerClock clock;

    public SessionOpening(
            ConsumerSettings settings,
            EntityDescription facts,
            MessageProcessor messages,
            FailureHandling disposal,
            SessionCloses closes,
            WorkerClock clock) {
        this.settings = settings;
        this.facts = facts;
        this.messages = messages;
        this.disposal = disposal;
        this.closes = closes;
        this.clock = clock;
    }

    /** The message that would be handled first. */
    interface First {
        Optional<InboundMessage> message() throws InterruptedException;
    }

    // Throws CountedFailure if the hook failed; the session must be given back then.
    void open(Receiver receiver, Settlements settling, InFlightWork work, First first) throws InterruptedException {
        if (receiver.session().isEmpty()) {
            return;
        }
        try {
            settings.hooks().session().accepted(new BrokerSession(receiver));
        } catch (Throwable e) {
            work.requireLock();
            if (!clock.stopping()) {
                TRACES.warn(LOG, "The hook of session '" + receiver.session().get() + "' failed", e);
                refuse(settling, work, first.message(), e);
            }
            throw CountedFailure.handled(e);
        }
    }

    private void refuse(Settlements settling, InFlightWork work, Optional<InboundMessage> message, Throwable met)
            throws InterruptedException {
        if (message.isPresent()) {
            messages.take(settling, message.get(), work, () -> refused(settling, message.get(), met));
            settling.confirm(0);
        }
    }

    private Handled refused(Settlements settling, InboundMessage message, Throwable met)
            throws SQLException, InterruptedException {
        FailureKind kind = new FailureClassifier(settings.policies().failures()).classify(met);
        int times = closes.count(settling, message);
        settings.hooks().listener().failed(message, met, kind);
        boolean last = kind == FailureKind.PERMANENT
                || facts.deletesOnReceive()
                || times >= settings.policies().deliveries().maxCloses();
        if (last) {
            String description = "The hook of its session failed, " + times + " times. " + FailureText.description(met);
            return disposal.failed(settling, message, new Cause("SessionHookFailed", description));
        }
        // Under the session's lock, so that no other worker repeats the failure at once.
        clock.sleep().during(settings.policies().retries().rest(times));
        return Handled.UNSETTLED;
    }
}
