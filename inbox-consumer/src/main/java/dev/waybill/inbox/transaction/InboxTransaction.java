package dev.waybill.inbox.transaction;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.lock.Work;
import dev.waybill.inbox.record.Admission;
import dev.waybill.inbox.record.Handling;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records and handles one message in one transaction. Thread-safe. */
public final class InboxTransaction {
    private final MessageTransactions transactions;
    private final Handler handler;

    public InboxTransaction(MessageTransactions transactions, Handler handler) {
        this.transactions = transactions;
        this.handler = handler;
    }

    /**
     * Committed if the result says done; otherwise nothing remains, neither effects nor the id.
     *
     * @throws LockLostException if the message was lost meanwhile; nothing was committed
     * @throws NotAdmittedException if the database failed before the handler's turn had come, or if it is not
     *     known whether the commit has failed
     * @throws Exception what the handler or the database threw, as it was thrown
     */
    public Result process(Handling handling, Work work) throws Exception {
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

    /** The message for which a transaction was begun does not come to be handled now. */
    public void abandonNext(Work work) {
        transactions.abandonNext(work);
    }

    private MessageTransaction begin(InboundMessage message, Work work)
            throws NotAdmittedException, InterruptedException {
        try {
            return transactions.begin(message, work);
        } catch (SQLException e) {
            throw new NotAdmittedException(e);
        }
    }

    private Result process(MessageTransaction begun, Handling handling, Work work) throws Exception {
        InboundMessage message = handling.message();
        Connection connection = begun.connection();
        work.using(connection);
        Admission admission = admission(begun, handling, work);
        if (admission.wanted()) {
            work.wanted();
        }
        work.handling(message, admission.backend());
        var result = new Result(admission, admission.mayBeHandled() ? verdict(begun, message, work) : Verdict.done());
        work.end();
        work.requireLock();
        boolean concluded = result.isDone() && handling.terms().conclude(connection, message, admission);
        if (concluded || result.isHandled()) {
            begun.commit(handling, work);
        } else {
            begun.rollBack();
        }
        return result;
    }

    private static Admission admission(MessageTransaction begun, Handling handling, Work work)
            throws NotAdmittedException {
        @Nullable Admission known = begun.admission();
        try {
            return known == null ? handling.terms().admit(begun.connection(), handling.message(), work.fence()) : known;
        } catch (SQLException e) {
            throw new NotAdmittedException(e);
        }
    }

    private Verdict verdict(MessageTransaction begun, InboundMessage message, Work work) throws Exception {
        Verdict verdict;
        try {
            verdict = Objects.requireNonNull(handler.handle(begun.dsl(), message), "The handler returned no verdict");
        } catch (LockLostException e) {
            work.requireLock();
            throw new IllegalStateException("The handler says that a lock was lost; this message's was not", e);
        } catch (Throwable e) {
            begun.requireRepeatable(e);
            throw e;
        }
        if (verdict instanceof Verdict.Retry) {
            begun.requireRepeatable(null);
        }
        return verdict;
    }

    /** The result. The verdict is the handler's if the message was admitted, otherwise done. */
    public record Result(Admission admission, Verdict verdict) {
        /** The effects are in the database. */
        public boolean isDone() {
            return verdict == Verdict.done() && (admission.mayBeHandled() || isDuplicate());
        }

        boolean isHandled() {
            return verdict == Verdict.done() && admission.mayBeHandled();
        }

        public boolean isDuplicate() {
            return !admission.first();
        }

        /** It waits behind others that failed. */
        public boolean isHeld() {
            return admission.first() && admission.holdKey() != null;
        }
    }
}
