package dev.waybill.inbox.transaction;

import dev.waybill.inbox.ConsumerListener.Outcome;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.record.InboxRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

public final class InboxTransaction {
    private final MessageTransactions transactions;
    private final Handler handler;

    public InboxTransaction(MessageTransactions transactions, Handler handler) {
        this.transactions = transactions;
        this.handler = handler;
    }

    // Commits if the verdict is done; otherwise nothing remains, neither effects nor id. After NotRecordedException the
    // handler did not run, or the outcome of the commit is unknown. Exceptions of handler and database return
    // unwrapped.
    public Result process(Handling handling, InFlightWork work) throws Exception {
        MessageTransaction begun = begin(handling.message(), work);
        Result result;
        try {
            result = process(begun, handling, work);
        } catch (Throwable e) {
            begun.abandon(e);
            throw e;
        }
        if (!transactions.isNextBegun(work)) {
            begun.end();
        }
        return result;
    }

    public void abandonNext(InFlightWork work) {
        transactions.abandonNext(work);
    }

    private MessageTransaction begin(InboundMessage message, InFlightWork work)
            throws NotRecordedException, InterruptedException {
        try {
            return transactions.begin(message, work);
        } catch (SQLException e) {
            throw new NotRecordedException(e);
        }
    }

    private Result process(MessageTransaction begun, Handling handling, InFlightWork work) throws Exception {
        InboundMessage message = handling.message();
        Connection connection = begun.connection();
        work.using(connection);
        InboxRecord recorded = recorded(begun, handling, work);
        if (recorded.wanted()) {
            work.wanted();
        }
        work.handling(message, recorded.backend());
        var result = new Result(recorded, recorded.mayBeHandled() ? verdict(begun, message, work) : Verdict.done());
        work.end();
        work.requireLock();
        boolean concluded = result.isDone() && handling.recorder().conclude(connection, message, recorded);
        if (concluded || result.isHandled()) {
            begun.commit(handling, work);
        } else {
            begun.rollBack();
        }
        return result;
    }

    private static InboxRecord recorded(MessageTransaction begun, Handling handling, InFlightWork work)
            throws NotRecordedException {
        @Nullable InboxRecord known = begun.recorded();
        try {
            return known == null
                    ? handling.recorder().record(begun.connection(), handling.message(), work.fence())
                    : known;
        } catch (SQLException e) {
            throw new NotRecordedException(e);
        }
    }

    private Verdict verdict(MessageTransaction begun, InboundMessage message, InFlightWork work) throws Exception {
        Verdict verdict;
        try {
            verdict = Objects.requireNonNull(handler.handle(begun.dsl(), message), "The handler returned no verdict");
        } catch (LockLostException e) {
            work.requireLock();
            throw new IllegalStateException(
                    "The handler threw LockLostException, although its message's lock is held", e);
        } catch (Throwable e) {
            begun.requireRepeatable(e);
            throw e;
        }
        if (verdict instanceof Verdict.Retry) {
            begun.requireRepeatable(null);
        }
        return verdict;
    }

    /** A result. The verdict is the handler's for a new message, otherwise done. */
    public record Result(InboxRecord recorded, Verdict verdict) {
        public boolean isDone() {
            return verdict == Verdict.done() && (recorded.mayBeHandled() || isDuplicate());
        }

        boolean isHandled() {
            return verdict == Verdict.done() && recorded.mayBeHandled();
        }

        /** How a message that {@link #isDone} ends. */
        public Outcome outcome() {
            return switch (recorded.id()) {
                case NEW -> Outcome.DONE;
                case REPEATED -> Outcome.DUPLICATE;
                case OF_OTHER_CONTENT -> Outcome.OTHER_CONTENT;
            };
        }

        public boolean isDuplicate() {
            return !recorded.first();
        }

        /** Whether the message waits behind a hold. */
        public boolean isHeld() {
            return recorded.first() && recorded.holdKey() != null;
        }
    }
}
