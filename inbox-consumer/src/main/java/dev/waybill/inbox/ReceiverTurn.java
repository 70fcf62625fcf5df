package dev.waybill.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One receiver from acceptance until it is idle: its messages one after the other. Thread-safe. */
final class ReceiverTurn {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverTurn.class);

    /** A wait is cut into pieces, so that a consumer that stops or a database that goes away is noticed. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

    /** A session that never runs dry would keep its worker from all others, and nobody could resume its deferred messages. */
    private static final Duration LONGEST_TURN = Duration.ofMinutes(5);

    private final MessageSource source;
    private final BatchTurn messages;
    private final DatabaseGate gate;
    private final Duration idle;
    private final int batch;
    private final Pace pace;

    /**
     * @param idle how long a receiver without messages is kept
     * @param batch how many messages of a session are handled together at most
     */
    ReceiverTurn(MessageSource source, BatchTurn messages, DatabaseGate gate, Duration idle, int batch, Pace pace) {
        this.source = source;
        this.messages = messages;
        this.gate = gate;
        this.idle = idle;
        this.batch = batch;
        this.pace = pace;
    }

    /** Takes one receiver; returns how many messages were settled, 0 also if there was no receiver. */
    int run(Work work) throws InterruptedException {
        gate.await(pace.rest());
        Optional<Receiver> accepted = source.acceptNext();
        if (accepted.isEmpty()) {
            return 0;
        }
        try (Receiver receiver = accepted.get()) {
            work.accepted(receiver);
            return serve(receiver, work);
        } catch (LockLostException e) {
            LOG.info("{}; unsettled messages come again", e.getMessage(), e);
            return 0;
        } finally {
            work.released();
        }
    }

    private int serve(Receiver receiver, Work work) throws InterruptedException {
        int settled = 0;
        long acceptedAt = pace.now();
        while (true) {
            boolean overdue = pace.since(acceptedAt).compareTo(LONGEST_TURN) > 0;
            List<InboundMessage> next = overdue ? last(receiver) : next(receiver);
            if (next.isEmpty() || !messages.run(receiver, next, work)) {
                return settled;
            }
            settled += next.size();
        }
    }

    /** The next messages; empty when it is time to let go of the receiver. */
    private List<InboundMessage> next(Receiver receiver) throws InterruptedException {
        long waitedSince = pace.now();
        while (!pace.stopping() && gate.isOpen()) {
            long left = idle.minus(pace.since(waitedSince)).toNanos();
            Duration wait = Duration.ofNanos(Math.max(0, Math.min(left, LONGEST_WAIT.toNanos())));
            List<InboundMessage> messages = receive(receiver, wait);
            if (!messages.isEmpty() || left <= 0) {
                return messages.isEmpty() ? last(receiver) : messages;
            }
        }
        return last(receiver);
    }

    private List<InboundMessage> receive(Receiver receiver, Duration wait) throws InterruptedException {
        return batch > 1
                ? receiver.receive(batch, wait)
                : receiver.receive(wait).map(List::of).orElse(List.of());
    }

    // It may have arrived just as the wait ended. Left alone, without a session it would lie locked until its lock
    // ends.
    private List<InboundMessage> last(Receiver receiver) throws InterruptedException {
        receiver.stopReceiving();
        return receive(receiver, Duration.ZERO);
    }
}
