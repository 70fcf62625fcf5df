package dev.waybill.inbox.transaction;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.RollbackOnlyException;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.connect.Commit;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.record.BatchInsert;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.record.InboxRecord;
import dev.waybill.inbox.record.RecordStatements;
import dev.waybill.inbox.record.Recorder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles several messages of one session in one transaction: one round trip records them, one commit ends them. If a message is not
 * done, the messages before it are handled again behind savepoints, and it is tried alone later. Without savepoints they get a new
 * transaction; if that fails too, each message is tried alone. Thread-safe.
 */
public final class BatchTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(BatchTransaction.class);

    private final MessageTransactions transactions;
    private final BatchInsert all;
    private final RecordStatements one;
    private final Recorder recorder;
    private final Handler handler;

    public BatchTransaction(
            MessageTransactions transactions,
            BatchInsert all,
            RecordStatements one,
            Recorder recorder,
            Handler handler) {
        this.transactions = transactions;
        this.all = all;
        this.one = one;
        this.recorder = recorder;
        this.handler = handler;
    }

    // Commits the messages before the first that is not done, and returns their results. After LockLostException
    // nothing is committed; after other exceptions only the inbox knows.
    public List<InboxTransaction.Result> process(List<InboundMessage> batch, InFlightWork work) throws Exception {
        try {
            return attempts(batch, work);
        } catch (EndedByHandler e) {
            LOG.warn("{}, in a batch of {} messages; each is tried alone", e.getMessage(), batch.size());
            all.takeBack(e.recorded);
            return List.of();
        }
    }

    private List<InboxTransaction.Result> attempts(List<InboundMessage> batch, InFlightWork work) throws Exception {
        Progress all = attempt(batch, work);
        if (all.isCommitted() || all.done().size() < 2) {
            return all.committed();
        }
        work.begin();
        return attempt(batch.subList(0, all.done().size()), work).committed();
    }

    private Progress attempt(List<InboundMessage> batch, InFlightWork work) throws Exception {
        MessageTransaction begun = transactions.begin();
        Progress progress;
        try {
            progress = attempt(begun, batch, work);
        } catch (Throwable e) {
            begun.abandon(e);
            throw e;
        }
        begun.end();
        return progress;
    }

    private Progress attempt(MessageTransaction begun, List<InboundMessage> batch, InFlightWork work) throws Exception {
        work.using(begun.connection());
        List<InboxTransaction.Result> done = handle(begun, batch, work);
        work.end();
        work.requireLock();
        boolean committed = !done.isEmpty() && (begun.hasSavepoints() || done.size() == batch.size());
        if (committed) {
            begun.commit(Handling.alone(newlyRecorded(batch, done), recorder), work);
        } else {
            begun.rollBack();
        }
        return new Progress(done, committed);
    }

    // A duplicate's id was committed earlier and proves nothing about this commit.
    private static InboundMessage newlyRecorded(List<InboundMessage> batch, List<InboxTransaction.Result> done) {
        int first = 0;
        while (first < done.size() - 1 && done.get(first).isDuplicate()) {
            first++;
        }
        return batch.get(first);
    }

    /** The results of one transaction. */
    private record Progress(List<InboxTransaction.Result> done, boolean isCommitted) {
        List<InboxTransaction.Result> committed() {
            return isCommitted ? done : List.of();
        }
    }

    private List<InboxTransaction.Result> handle(
            MessageTransaction begun, List<InboundMessage> batch, InFlightWork work) throws Exception {
        Optional<List<InboxRecord>> recorded = all.record(begun.connection(), batch, work.fence());
        List<InboxTransaction.Result> done =
                recorded.isPresent() ? together(begun, batch, recorded.get(), work) : List.of();
        if (done.size() == batch.size() || !begun.hasSavepoints()) {
            return done;
        }
        work.end();
        begun.rollBack();
        work.begin();
        work.using(begun.connection());
        int worthwhile = recorded.isPresent() ? done.size() : batch.size();
        return behindSavepoints(begun, batch.subList(0, worthwhile), work);
    }

    private List<InboxTransaction.Result> together(
            MessageTransaction begun, List<InboundMessage> batch, List<InboxRecord> recorded, InFlightWork work) {
        var done = new ArrayList<InboxTransaction.Result>();
        for (int i = 0; i < batch.size(); i++) {
            work.received(batch.get(i));
            work.handling(batch.get(i), recorded.get(i).backend());
            boolean isDone = handled(begun, batch.get(i), recorded.get(i), work, done);
            requireOurs(begun, batch, recorded, i + 1);
            if (!isDone) {
                break;
            }
        }
        return done;
    }

    // All ids are recorded before the first handler runs. A handler that commits also commits the ids of later
    // messages, which would count as handled. And after a handler ended or suspended the transaction, the effects of
    // the next one would persist and be repeated when it is tried alone.
    private static void requireOurs(
            MessageTransaction begun, List<InboundMessage> batch, List<InboxRecord> recorded, int next) {
        boolean goesOn = begun.mayGoOn();
        try {
            Commit.guard(begun.connection());
        } catch (SQLException e) {
            if (Commit.isRefused(e) || !goesOn) {
                throw new EndedByHandler(
                        IntStream.range(next, batch.size())
                                .filter(i -> recorded.get(i).first())
                                .mapToObj(batch::get)
                                .toList(),
                        e);
            }
            // The transaction failed or its connection is cut; the next statement reports that.
        }
        if (!goesOn) {
            throw new EndedByHandler(List.of(), new RollbackOnlyException());
        }
    }

    private static final class EndedByHandler extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Messages without a handler call whose ids may be committed. */
        private final transient List<InboundMessage> recorded;

        EndedByHandler(List<InboundMessage> recorded, Exception cause) {
            super("A handler ended its transaction itself, or left it unable to commit", cause);
            this.recorded = recorded;
        }
    }

    private List<InboxTransaction.Result> behindSavepoints(
            MessageTransaction begun, List<InboundMessage> batch, InFlightWork work) throws SQLException {
        Connection connection = begun.connection();
        var done = new ArrayList<InboxTransaction.Result>();
        for (InboundMessage message : batch) {
            work.received(message);
            // Fails if the previous handler swallowed a statement's error: the batch must not commit then.
            InboxRecord recorded = one.recordBehindSavepoint(connection, message, work.fence(), done.isEmpty());
            work.handling(message, recorded.backend());
            if (!handled(begun, message, recorded, work, done)) {
                rollBackToSavepoint(connection, work);
                break;
            }
        }
        return done;
    }

    private boolean handled(
            MessageTransaction begun,
            InboundMessage message,
            InboxRecord recorded,
            InFlightWork work,
            List<InboxTransaction.Result> done) {
        if (recorded.wanted()) {
            work.wanted();
        }
        try {
            var result = new InboxTransaction.Result(
                    recorded, recorded.mayBeHandled() ? handler.handle(begun.dsl(), message) : Verdict.done());
            if (!result.isDone()) {
                return false;
            }
            recorder.conclude(begun.connection(), message, recorded);
            done.add(result);
            return true;
        } catch (Throwable e) {
            LOG.debug("Message '{}' failed in a batch and is tried alone", message.id(), e);
            return false;
        }
    }

    private static void rollBackToSavepoint(Connection connection, InFlightWork work) throws SQLException {
        work.end();
        try (Statement statement = connection.createStatement()) {
            statement.execute(RecordStatements.ROLL_BACK);
        }
    }
}
