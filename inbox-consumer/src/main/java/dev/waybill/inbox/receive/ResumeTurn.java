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
 * Fetches deferred messages that somebody wants back and hands them to the handler: under their session's lock and
 * in the session's order. One that fails keeps those behind it waiting. Thread-safe.
 *
 * <p>A session that somebody has at the moment is left to its owner, who is told of it with each message.
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

    /**
     * Fetches what is wanted now from one place; returns whether there was one.
     *
     * @param found is told before messages are handled, for there may be other places
     */
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

    /** Returns false if the place could not be had. */
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
            LOG.info("{}; unsettled messages are resumed again", e.getMessage());
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
                    "Deferred messages of consumer '" + settings.store().consumer() + "' are fetched again");
            return receiver;
        } catch (RuntimeException e) {
            broker.failed(
                    "Deferred messages of consumer '" + settings.store().consumer()
                            + "' cannot be fetched at the moment",
                    e);
            return Optional.empty();
        }
    }

    /** Fetches what is wanted from the session in hand, by its owner. */
    public Handled run(Receiver receiver, Settlements settling, InFlightWork work) throws InterruptedException {
        try {
            return resume(receiver, settling, ResumePlace.of(receiver.session().orElseThrow()), work);
        } catch (SQLException e) {
            TRACES.warn(LOG, "Deferred messages of a session could not be looked for", e);
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
            // Numbers begin anew in another entity: this one waits for a key of its own.
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
            TRACES.warn(LOG, "Deferred messages of a session could not be looked for", e);
            return Optional.empty();
        }
    }

    private Handled handled(Settlements settling, InboundMessage message, InFlightWork work)
            throws InterruptedException {
        Handled handled = messages.run(settling, message, work);
        settling.confirm(0);
        return handled;
    }

    // No proof of loss: the broker may never have been told to defer it, or somebody else has it.
    private void notFound(WantedMessage wanted, @Nullable Fence fence) throws SQLException {
        if (!deferrals.forgetIfDone(wanted, fence)) {
            LOG.warn(
                    "Deferred message '{}' (number {}) was not found, try {}",
                    wanted.messageId(),
                    wanted.sequenceNumber(),
                    wanted.tries() + 1);
            deferrals.again(wanted, fence);
        }
    }
}
