package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records and handles several messages of one session in one transaction: one round trip to record all of them, one commit
 * for all. Where one does not come to done, those before it are handled once more, each behind a savepoint, and it is left
 * to be tried alone. Thread-safe.
 */
final class BatchTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(BatchTransaction.class);

    private final HandlerConnections connections;
    private final BatchInsert all;
    private final Admitting one;
    private final Admitter terms;
    private final Handler handler;

    BatchTransaction(HandlerConnections connections, BatchInsert all, Admitting one, Admitter terms, Handler handler) {
        this.connections = connections;
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
     * @throws Exception if something else went wrong; whether it was committed the inbox knows
     */
    List<InboxTransaction.Result> process(List<InboundMessage> batch, Work work) throws Exception {
        HandlerConnections.Lent lent = connections.take();
        List<InboxTransaction.Result> done;
        try {
            done = process(lent.connection(), batch, work);
        } catch (Throwable e) {
            lent.abandon(e);
            throw e;
        }
        lent.giveBack();
        return done;
    }

    private List<InboxTransaction.Result> process(Connection connection, List<InboundMessage> batch, Work work)
            throws Exception {
        work.using(connection);
        List<InboxTransaction.Result> done = handle(connection, batch, work);
        work.end();
        work.requireLock();
        if (done.isEmpty()) {
            connection.rollback();
            return done;
        }
        Commit.ofMessage(connection);
        @Nullable Fence fence = work.fence();
        if (fence != null) {
            fence.committed();
        }
        return done;
    }

    private List<InboxTransaction.Result> handle(Connection connection, List<InboundMessage> batch, Work work)
            throws SQLException {
        Optional<List<Admission>> admitted = all.admit(connection, batch, work.fence());
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
            work.handling(batch.get(i), admitted.get(i).backend());
            if (!handled(connection, batch.get(i), admitted.get(i), work, done)) {
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
            // Fails if the handler before has swallowed a statement's error: then nothing of the batch
            // may be committed.
            Admission admission = one.admitBehindSavepoint(connection, message, work.fence(), done.isEmpty());
            work.handling(message, admission.backend());
            if (!handled(connection, message, admission, work, done)) {
                rollBackToSavepoint(connection, work);
                break;
            }
        }
        return done;
    }

    private boolean handled(
            Connection connection,
            InboundMessage message,
            Admission admission,
            Work work,
            List<InboxTransaction.Result> done) {
        if (admission.wanted()) {
            work.wanted();
        }
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
        } catch (Throwable e) {
            LOG.debug("Message '{}' failed in a batch and is tried alone", message.id(), e);
            return false;
        }
    }

    private static void rollBackToSavepoint(Connection connection, Work work) throws SQLException {
        work.end();
        try (Statement statement = connection.createStatement()) {
            statement.execute(Admitting.ROLL_BACK);
        }
    }
}
