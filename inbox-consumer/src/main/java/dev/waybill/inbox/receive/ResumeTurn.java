package dev.waybill.inbox.receive;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.Receiver;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.defer.ResumePlace;
import dev.waybill.inbox.defer.WantedMessage;
import dev.waybill.inbox.handle.MessageProcessor;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.settle.Handled;
import dev.waybill.inbox.settle.Settlements;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches resumed messages and handles them under their session's lock, in the session's order. A failed message keeps those behind it
 * waiting. If a session has an owner, that owner fetches them: each record reports resumed messages. Thread-safe.
 */
public final class ResumeTurn {
    private static final Logger LOG = LoggerFactory.getLogger(ResumeTurn.class);
    private final Fault broker = new Fault(LOG, System::nanoTime);
    private static final Traces TRACES = new Traces();
    private static final Duration ACCEPT = Duration.ofSeconds(5);

    private final SessionAcceptance acceptance;
    private final MessageProcessor messages;
    private final DeferralTable deferrals;
    private final SessionOpening opening;
    private final ConsumerSettings settings;
    private final WorkerClock clock;
    private final ResumePlaces places;

    public ResumeTurn(
            SessionAcceptance acceptance,
            MessageProcessor messages,
            DeferralTable deferrals,
            SessionOpening opening,
            ConsumerSettings settings,
            WorkerClock clock) {
        this.acceptance = acceptance;
        this.messages = messages;
        this.deferrals = deferrals;
        this.opening = opening;
        this.settings = settings;
        this.clock = clock;
        places = new ResumePlaces(clock);
    }

    // Returns whether a place had resumed messages. Runs found before it handles them, because there may be other
    // places.
    public boolean run(InFlightWork work, Runnable found) throws InterruptedException, SQLException {
        Optional<ResumePlace> place = places.claim(deferrals.wanted());
        if (place.isEmpty()) {
            return false;
        }
        found.run();
        boolean busy = true;
        try {
            busy = !resume(place.get(), work);
        } finally {
            places.release(place.get(), busy);
        }
        return true;
    }

    /** Returns false if the place is unavailable. */
    private boolean resume(ResumePlace place, InFlightWork work) throws InterruptedException, SQLException {
        Optional<Receiver> accepted = accepted(place);
        if (accepted.isEmpty()) {
            return false;
        }
        try (Receiver receiver = accepted.get()) {
            acceptance.accepted(receiver, work);
            var settling = new Settlements(receiver, settings.hooks().listener(), work.fence());
            opening.open(receiver, settling, work, () -> first(receiver, place));
            resume(receiver, settling, place, work);
            settling.stopReceiving(settings.hooks().session());
            settling.requireHook();
            return true;
        } catch (LockLostException e) {
            LOG.info("{}; unsettled messages will be fetched again", e.getMessage());
            LOG.debug("A lock was lost", e);
            return false;
        } finally {
            work.released();
        }
    }

    private Optional<Receiver> accepted(ResumePlace place) throws InterruptedException {
        try {
            var receiver = acceptance.source().accept(place.session() == null ? "" : place.session(), ACCEPT);
            broker.recovered(
                    "Deferred messages of consumer '" + settings.store().consumer() + "' can be fetched again");
            return receiver;
        } catch (RuntimeException e) {
            broker.failed("Deferred messages of consumer '" + settings.store().consumer() + "' cannot be fetched", e);
            return Optional.empty();
        }
    }

    /** Fetches resumed messages for the owner of the session. */
    public Handled run(Receiver receiver, Settlements settling, InFlightWork work) throws InterruptedException {
        try {
            return resume(receiver, settling, ResumePlace.of(receiver.session().orElseThrow()), work);
        } catch (SQLException e) {
            TRACES.warn(LOG, "Resumed messages of a session could not be queried", e);
            return Handled.SETTLED;
        }
    }

    private Handled resume(Receiver receiver, Settlements settling, ResumePlace place, InFlightWork work)
            throws InterruptedException, SQLException {
        List<WantedMessage> some = deferrals.wanted(place);
        while (!some.isEmpty()) {
            for (WantedMessage wanted : some) {
                if (clock.stopping() || resume(receiver, settling, place, wanted, work) == Handled.UNSETTLED) {
                    return Handled.UNSETTLED;
                }
            }
            some = deferrals.wanted(place, some.get(some.size() - 1).sequenceNumber());
        }
        return Handled.SETTLED;
    }

    private Handled resume(
            Receiver receiver, Settlements settling, ResumePlace place, WantedMessage wanted, InFlightWork work)
            throws InterruptedException, SQLException {
        Optional<InboundMessage> message = receiver.receiveDeferred(wanted.sequenceNumber());
        if (message.isEmpty()) {
            notFound(wanted, settling.fence());
        } else if (!message.get().id().equals(wanted.messageId())) {
            // Another entity numbers messages anew, so this is another message: it keeps waiting for its own key.
            settling.defer(message.get());
            notFound(wanted, settling.fence());
        } else if (handled(settling, message.get(), work) == Handled.UNSETTLED) {
            deferrals.postpone(place, wanted, settling.fence());
            return Handled.UNSETTLED;
        }
        return Handled.SETTLED;
    }

    private Optional<InboundMessage> first(Receiver receiver, ResumePlace place) {
        try {
            return deferrals.wanted(place).stream()
                    .flatMap(wanted -> receiver.receiveDeferred(wanted.sequenceNumber()).stream())
                    .findFirst();
        } catch (SQLException e) {
            TRACES.warn(LOG, "Resumed messages of a session could not be queried", e);
            return Optional.empty();
        }
    }

    private Handled handled(Settlements settling, InboundMessage message, InFlightWork work)
            throws InterruptedException {
        Handled handled = messages.run(settling, message, work);
        settling.confirm(0);
        return handled;
    }

    // No proof of loss: the broker may not have received the deferral, or another worker has the message.
    private void notFound(WantedMessage wanted, @Nullable Fence fence) throws SQLException {
        if (!deferrals.forgetIfDone(wanted, fence)) {
            LOG.warn(
                    "Deferred message '{}' (number {}) was not found on the broker, attempt {}",
                    wanted.messageId(),
                    wanted.sequenceNumber(),
                    wanted.tries() + 1);
            deferrals.again(wanted, fence);
        }
    }
}
