package dev.waybill.inbox.receive;

import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.Receiver;
import dev.waybill.inbox.handle.BatchProcessor;
import dev.waybill.inbox.handle.ReceivedBatch;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.settle.Handled;
import dev.waybill.inbox.settle.Settlements;
import dev.waybill.inbox.transaction.DatabaseGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one receiver from acceptance until it is idle, message by message. Thread-safe. */
public final class ReceiverTurn {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverTurn.class);

    /** Longer waits are split, so that a stop or a database outage is noticed. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);

    private static final Duration IDLE_IN_DOUBT = Duration.ofSeconds(1);

    /** For messages in transit when the consumer stops. */
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(1);

    /** A session that is accepted faster than this was already waiting for a worker. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    /** While other sessions wait. */
    private static final Duration SHORTEST_IDLE = Duration.ofMillis(10);

    /** A session that is never empty would occupy its worker for ever, and its deferred messages would never be fetched. */
    private static final Duration LONGEST_TURN = Duration.ofMinutes(5);

    /** More than are in flight while one message is handled, and few enough to notice soon that the broker confirms nothing. */
    private static final int MOST_UNCONFIRMED = 50;

    private final SessionAcceptance acceptance;
    private final BatchProcessor messages;
    private final ResumeTurn resumes;
    private final SessionOpening opening;
    private final DatabaseGate gate;
    private final ConsumerSettings settings;
    private final WorkerClock clock;
    private final Reception reception;
    private final Duration idle;
    private final boolean sessions;
    private final boolean goesBack;
    private final Set<Asking> asking = ConcurrentHashMap.newKeySet();
    private volatile boolean othersWait;

    public ReceiverTurn(
            SessionAcceptance acceptance,
            BatchProcessor messages,
            ResumeTurn resumes,
            SessionOpening opening,
            ConsumerSettings settings,
            WorkerClock clock) {
        this.acceptance = acceptance;
        this.messages = messages;
        this.resumes = resumes;
        this.opening = opening;
        this.gate = acceptance.gate();
        this.settings = settings;
        this.clock = clock;
        this.reception = acceptance.reception();
        EntityDescription facts = acceptance.source().facts();
        idle = settings.idle(facts);
        sessions = facts.sessions();
        goesBack = sessions && !facts.deletesOnReceive();
    }

    /** Serves one receiver. Returns the number of settled messages; 0 also if there was no receiver. */
    public int run(InFlightWork work) throws InterruptedException {
        gate.await(clock.sleep());
        Optional<Receiver> accepted = next();
        if (accepted.isEmpty()) {
            return 0;
        }
        try (Receiver receiver = accepted.get()) {
            acceptance.accepted(receiver, work);
            if (sessions) {
                reception.works();
            }
            return serve(receiver, work);
        } catch (LockLostException e) {
            LOG.info("{}; unsettled messages come again", e.getMessage());
            LOG.debug("A lock was lost", e);
            return 0;
        } finally {
            work.released();
        }
    }

    private Optional<Receiver> next() throws InterruptedException {
        var ask = new Asking(clock.now());
        asking.add(ask);
        try {
            return acceptance.source().acceptNext();
        } finally {
            asking.remove(ask);
            othersWait = clock.since(ask.since).compareTo(AT_ONCE) < 0;
        }
    }

    // A worker that has just begun to ask may be about to get a session that was waiting.
    private boolean isAWorkerFree() {
        return asking.stream().anyMatch(ask -> clock.since(ask.since).compareTo(AT_ONCE) >= 0);
    }

    private int serve(Receiver receiver, InFlightWork work) throws InterruptedException {
        var settling = new Settlements(receiver, settings.hooks().listener(), work.fence());
        try {
            opening.open(receiver, settling, work, () -> first(receiver));
            receiver.readAhead(goesBack ? settings.receiving().readAhead() : 0);
            return serve(receiver, settling, work);
        } finally {
            settling.giveUp();
        }
    }

    private Optional<InboundMessage> first(Receiver receiver) throws InterruptedException {
        long askedAt = clock.now();
        Duration left = settings.receiving().firstMessage();
        Optional<InboundMessage> first;
        do {
            first = receiver.receive(shorter(left, LONGEST_WAIT));
            left = settings.receiving().firstMessage().minus(clock.since(askedAt));
        } while (first.isEmpty() && mayGoOn() && !left.isNegative());
        return first;
    }

    private int serve(Receiver receiver, Settlements settling, InFlightWork work) throws InterruptedException {
        int settled = 0;
        long acceptedAt = clock.now();
        @Nullable Duration way = null;
        while (true) {
            boolean overdue = clock.since(acceptedAt).compareTo(LONGEST_TURN) > 0;
            List<InboundMessage> next = overdue ? last(receiver, settling, way) : next(receiver, settling, way);
            way = way == null ? clock.since(acceptedAt) : way;
            if (next.isEmpty() || served(receiver, settling, next, work) == Handled.UNSETTLED) {
                settling.stopReceiving(settings.hooks().session());
                settling.confirm(0);
                settling.requireHook();
                return settled;
            }
            settled += next.size();
            settling.confirm(MOST_UNCONFIRMED);
        }
    }

    private Handled served(Receiver receiver, Settlements settling, List<InboundMessage> next, InFlightWork work)
            throws InterruptedException {
        Handled handled = messages.run(settling, new ReceivedBatch(next, receiver, atMost()), work);
        boolean resume = handled == Handled.SETTLED
                && work.takeWanted()
                && receiver.session().isPresent();
        return resume ? resumes.run(receiver, settling, work) : handled;
    }

    // Empty if the receiver must be closed. The way is how long the first message took to arrive; null before it.
    private List<InboundMessage> next(Receiver receiver, Settlements settling, @Nullable Duration way)
            throws InterruptedException {
        List<InboundMessage> arrived = mayGoOn() ? receive(receiver, Duration.ZERO) : List.of();
        if (!arrived.isEmpty()) {
            return arrived;
        }
        settling.confirm(0);
        long waitedSince = clock.now();
        while (mayGoOn()) {
            long left = idle(way).minus(clock.since(waitedSince)).toNanos();
            Duration wait = Duration.ofNanos(Math.max(0, Math.min(left, LONGEST_WAIT.toNanos())));
            List<InboundMessage> messages = receive(receiver, wait);
            if (!messages.isEmpty() || left <= 0) {
                return messages.isEmpty() ? last(receiver, settling, way) : messages;
            }
        }
        return last(receiver, settling, way);
    }

    // The broker grants a session because it has a message. If the worker closed the session while that message is in
    // transit, the session would return with it and come again. Later messages may need as long. If no worker is free,
    // other sessions may wait; they do if the last one was granted at once.
    private Duration idle(@Nullable Duration way) {
        if (!sessions) {
            return idle;
        }
        if (way == null) {
            return longer(idle, settings.receiving().firstMessage());
        }
        Duration most = othersWait ? SHORTEST_IDLE : IDLE_IN_DOUBT;
        return longer(isAWorkerFree() ? idle : shorter(idle, most), shorter(way, IDLE_IN_DOUBT));
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private boolean mayGoOn() {
        return !clock.stopping() && gate.isOpen();
    }

    private List<InboundMessage> receive(Receiver receiver, Duration wait) throws InterruptedException {
        List<InboundMessage> received = settings.receiving().batch() > 1
                ? receiver.receive(settings.receiving().batch(), wait)
                : arrived(receiver, wait);
        if (!received.isEmpty()) {
            reception.works();
        }
        return received;
    }

    // The next message, and those of its session that have already arrived.
    private List<InboundMessage> arrived(Receiver receiver, Duration wait) throws InterruptedException {
        var arrived = new ArrayList<InboundMessage>();
        Optional<InboundMessage> next = receiver.receive(wait);
        while (next.isPresent()) {
            arrived.add(next.get());
            boolean more = arrived.size() < atMost();
            next = more ? receiver.receive(Duration.ZERO) : Optional.empty();
        }
        return arrived;
    }

    // One at a time where unhandled messages could not be returned. A batch waits for no further messages.
    private int atMost() {
        return goesBack && settings.receiving().batch() == 1
                ? settings.receiving().readAhead() + 1
                : 0;
    }

    // A message may arrive just as the wait ends. Without a session it would stay locked until its lock ends. A session
    // that must be given back returns it unchanged, unless it meets the closing link. So the link closes after all
    // requested messages have arrived.
    private List<InboundMessage> last(Receiver receiver, Settlements settling, @Nullable Duration way)
            throws InterruptedException {
        boolean leavesAll = goesBack && !mayGoOn();
        if (leavesAll) {
            receiver.drain(way == null ? LONGEST_WAIT : shorter(way.multipliedBy(2), LONGEST_DRAIN));
        }
        settling.stopReceiving(settings.hooks().session());
        return leavesAll ? List.of() : receive(receiver, Duration.ZERO);
    }

    /** A worker's request for a session, compared by identity. */
    private static final class Asking {
        private final long since;

        Asking(long since) {
            this.since = since;
        }
    }
}
