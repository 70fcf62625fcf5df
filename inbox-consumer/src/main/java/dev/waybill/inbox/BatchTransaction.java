package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records and handles several messages of one session in one transaction: one round trip to record all of them, one commit
 * for all. Where one does not come to done, those before it are handled once more, each behind a savepoint, and it is left
 * to be tried alone. Thread-safe.
 */
final class BatchTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(BatchTransaction.class);

    private final ConsumerSettings settings;
    private final BatchInsert all;
    private final InboxInsert one;
    private final Terms terms;
    private final Handler handler;

    BatchTransaction(ConsumerSettings settings, BatchInsert all, InboxInsert one, Terms terms, Handler handler) {
        this.settings = settings;
        this.all = all;
        this.one = one;
        this.terms = terms;
        this.handler = handler;
    }

    /**
     * Handles messages in order up to the first that does not come to done, and commits those before it.
     *
     * @return the results of the first ones, committed
     * @throws LockLostException if the session was lost meanwhile; nothing was committed
     * @throws SQLException if something else went wrong; whether it was committed the inbox knows
     */
    List<InboxTransaction.Result> process(List<InboundMessage> batch, Work work) throws SQLException {
        try (Connection connection = settings.dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            List<InboxTransaction.Result> done = process(connection, batch, work);
            connection.setAutoCommit(autoCommit);
            return done;
        }
    }

    private List<InboxTransaction.Result> process(Connection connection, List<InboundMessage> batch, Work work)
            throws SQLException {
        try {
            work.using(connection);
            List<InboxTransaction.Result> done = handle(connection, batch, work);
            work.end();
            work.requireLock();
            if (done.isEmpty()) {
                connection.rollback();
            } else {
                Commit.of(connection);
            }
            return done;
        } catch (SQLException | RuntimeException | Error e) {
            InboxTransaction.rollBack(connection, e);
            throw e;
        }
    }

    private List<InboxTransaction.Result> handle(Connection connection, List<InboundMessage> batch, Work work)
            throws SQLException {
        Optional<List<Admission>> admitted = all.admit(connection, batch);
        List<InboxTransaction.Result> done =
                admitted.isPresent() ? together(connection, batch, admitted.get(), work) : List.of();
        if (done.size() == batch.size()) {
            return done;
        }
        work.end();
        connection.rollback();
        work.begin();
        work.using(connection);
        int worthwhile = admitted.isPresent() ? done.size() : batch.size();
        return behindSavepoints(connection, batch.subList(0, worthwhile), work);
    }

    private List<InboxTransaction.Result> together(
            Connection connection, List<InboundMessage> batch, List<Admission> admitted, Work work) {
        var done = new ArrayList<InboxTransaction.Result>();
        for (int i = 0; i < batch.size(); i++) {
            work.received(batch.get(i));
            work.handling(admitted.get(i).backend());
            if (!handled(connection, batch.get(i), admitted.get(i), done)) {
                break;
            }
        }
        return done;
    }

    private List<InboxTransaction.Result> behindSavepoints(Connection connection, List<InboundMessage> batch, Work work)
            throws SQLException {
        var done = new ArrayList<InboxTransaction.Result>();
        for (InboundMessage message : batch) {
            work.received(message);
            // Fails if the handler before has swallowed a statement's error: then nothing of the batch may be
            // committed.
            Admission admission = one.admitBehindSavepoint(connection, settings.name, message, done.isEmpty());
            work.handling(admission.backend());
            if (!handled(connection, message, admission, done)) {
                rollBackToSavepoint(connection, work);
                break;
            }
        }
        return done;
    }

    private boolean handled(
            Connection connection, InboundMessage message, Admission admission, List<InboxTransaction.Result> done) {
        try {
            var result = new InboxTransaction.Result(
                    admission,
                    admission.mayBeHandled()
                            ? handler.handle(InboxTransaction.dsl(connection), message)
                            : Verdict.done());
            if (!result.isDone()) {
                return false;
            }
            terms.conclude(connection, message, admission);
            done.add(result);
            return true;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            LOG.debug("Message '{}' failed in a batch and is tried alone", message.id(), e);
            return false;
        }
    }

    private static void rollBackToSavepoint(Connection connection, Work work) throws SQLException {
        work.end();
        try (Statement statement = connection.createStatement()) {
            statement.execute(InboxInsert.ROLL_BACK);
        }
    }
}
