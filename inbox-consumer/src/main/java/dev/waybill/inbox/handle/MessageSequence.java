package dev.waybill.inbox.handle;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.heartbeat.CrashCounter;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.settle.Handled;
import dev.waybill.inbox.settle.Settlements;
import dev.waybill.inbox.transaction.MessageTransactions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Handles messages in separate transactions. Fast ones share round trips, and are completed when none is open. Thread-safe. */
public final class MessageSequence {
    /** For slower handlers the shared round trip saves nothing, and completions would wait for them. */
    private static final long QUICK_MILLIS = 10;

    private final MessageProcessor messages;
    private final MessageTransactions transactions;
    private final CrashCounter crashes;
    private final boolean mayLeave;
    private final WorkerClock clock;

    /** The sequence may stop early if the broker delivers unsettled messages again. */
    public MessageSequence(
            MessageProcessor messages,
            MessageTransactions transactions,
            CrashCounter crashes,
            boolean mayLeave,
            WorkerClock clock) {
        this.messages = messages;
        this.transactions = transactions;
        this.crashes = crashes;
        this.mayLeave = mayLeave;
        this.clock = clock;
    }

    /** Throws {@link LockLostException} if the session's lock is lost. */
    Handled run(Settlements settling, ReceivedBatch received, InFlightWork work) throws InterruptedException {
        List<InboundMessage> arrived = received.taken();
        long begunAt = clock.now();
        try {
            for (int i = 0; i < arrived.size(); i++) {
                if (i > 0 && mayLeave && clock.stopping()) {
                    return Handled.UNSETTLED;
                }
                boolean quick = clock.since(begunAt).toMillis() <= i * QUICK_MILLIS;
                @Nullable InboundMessage next = quick ? next(received, i + 1) : null;
                if (messages.run(settling, arrived.get(i), next, work) == Handled.UNSETTLED) {
                    return Handled.UNSETTLED;
                }
                if (!transactions.isNextBegun(work)) {
                    settling.send();
                }
            }
            return Handled.SETTLED;
        } finally {
            transactions.abandonNext(work);
        }
    }

    // A suspected message is begun only after its start is recorded.
    private @Nullable InboundMessage next(ReceivedBatch received, int position) throws InterruptedException {
        @Nullable InboundMessage next = clock.stopping() ? null : received.at(position);
        return next == null || crashes.concerns(next) ? null : next;
    }
}
