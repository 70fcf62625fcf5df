package dev.waybill.inbox.handle;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.heartbeat.Starts;
import dev.waybill.inbox.lock.Pace;
import dev.waybill.inbox.lock.Work;
import dev.waybill.inbox.settle.Handled;
import dev.waybill.inbox.settle.Settlements;
import dev.waybill.inbox.transaction.MessageTransactions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that have arrived, one after the other, each in a transaction of its own. As long as handlers are
 * quick, one message's commit and the next one's record share a round trip; the broker hears of all of them when
 * no transaction is open. Thread-safe.
 */
public final class MessageSequence {
    /** Slower handlers have nothing to gain from a shared round trip, and completions would wait for them. */
    private static final long QUICK_MILLIS = 10;

    private final MessageProcessor messages;
    private final MessageTransactions transactions;
    private final Starts starts;
    private final boolean mayLeave;
    private final Pace pace;

    /** @param mayLeave whether messages that are not settled come again */
    public MessageSequence(
            MessageProcessor messages, MessageTransactions transactions, Starts starts, boolean mayLeave, Pace pace) {
        this.messages = messages;
        this.transactions = transactions;
        this.starts = starts;
        this.mayLeave = mayLeave;
        this.pace = pace;
    }

    /**
     * Takes messages in their order.
     *
     * @throws LockLostException if the broker no longer listens to us about the session
     */
    Handled run(Settlements settling, Arrivals arrivals, Work work) throws InterruptedException {
        List<InboundMessage> arrived = arrivals.taken();
        long begunAt = pace.now();
        try {
            for (int i = 0; i < arrived.size(); i++) {
                if (i > 0 && mayLeave && pace.stopping()) {
                    return Handled.LEFT;
                }
                boolean quick = pace.since(begunAt).toMillis() <= i * QUICK_MILLIS;
                @Nullable InboundMessage next = quick ? next(arrivals, i + 1) : null;
                if (messages.run(settling, arrived.get(i), next, work) == Handled.LEFT) {
                    return Handled.LEFT;
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

    // One under suspicion is not begun before its start is on record.
    private @Nullable InboundMessage next(Arrivals arrivals, int position) throws InterruptedException {
        @Nullable InboundMessage next = pace.stopping() ? null : arrivals.at(position);
        return next == null || starts.concerns(next) ? null : next;
    }
}
