package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records and handles several messages of one session in one transaction, each behind a savepoint: one commit for all.
 * Thread-safe.
 */
final class BatchTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(BatchTransaction.class);

    private final ConsumerSettings settings;
    private final InboxInsert insert;
    private final Terms terms;
    private final Handler handler;

    BatchTransaction(ConsumerSettings settings, InboxInsert insert, Terms terms, Handler handler) {
        this.settings = settings;
        this.insert = insert;
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
            work.using(connection);
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
        var done = new ArrayList<InboxTransaction.Result>();
        for (InboundMessage message : batch) {
            work.received(message);
            // Fails if the handler before has swallowed a statement's error: then nothing of the batch may be
            // committed.
            Admission admission = insert.admitBehindSavepoint(connection, settings.name, message, done.isEmpty());
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
