package dev.waybill.inbox.transaction;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Commit;
import dev.waybill.inbox.connect.HandlersTransaction;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.record.InboxRecord;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of the message to come, begun in the round trip that commits the one before. A worker's own, used by its
 * thread alone. While one is begun, nothing is said to the broker.
 */
final class PipelinedTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(PipelinedTransaction.class);

    private @Nullable OpenTransaction begun;

    /** Commits a message that is done; with it the next one's transaction begins if one is known. */
    void commit(OpenTransaction done, Handling handled, @Nullable Fence fence) throws SQLException {
        @Nullable InboundMessage next = handled.next();
        if (next == null) {
            Commit.ofMessage(done.connection());
        } else {
            commitAndBegin(done, handled, next, fence);
        }
        done.after().run(done.connection());
        if (fence != null) {
            fence.committed();
        }
    }

    private void commitAndBegin(OpenTransaction done, Handling handled, InboundMessage next, @Nullable Fence fence)
            throws SQLException {
        try {
            InboxRecord recorded = handled.recorder().commitAndRecord(done.connection(), next, fence);
            begun = new OpenTransaction(this, done.lent(), next, recorded, new AfterCommits());
        } catch (SQLException e) {
            if (Commit.isRefused(e) || !isCommitted(done, handled, e)) {
                throw e;
            }
            LOG.debug("Message '{}' could not be begun yet", next.id(), e);
        }
    }

    // The next one's trouble is no failure of this one.
    private static boolean isCommitted(OpenTransaction done, Handling handled, SQLException failure) {
        try {
            done.connection().rollback();
            boolean committed = handled.recorder().isRecorded(done.connection(), handled.message());
            done.connection().rollback();
            return committed;
        } catch (SQLException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    boolean isBegun() {
        return begun != null;
    }

    /** The message's transaction: the one begun for it, or a new one. */
    OpenTransaction take(InboundMessage message, HandlerConnections connections)
            throws SQLException, InterruptedException {
        @Nullable OpenTransaction taken = begun;
        if (taken != null && taken.message() == message) {
            begun = null;
            return taken;
        }
        giveUp();
        return new OpenTransaction(this, connections.take(), message, null, new AfterCommits());
    }

    /** A new transaction for several messages. */
    OpenTransaction take(HandlerConnections connections) throws SQLException, InterruptedException {
        return new OpenTransaction(this, connections.take(), null, null, new AfterCommits());
    }

    /** The message does not come to be handled now. */
    void giveUp() {
        @Nullable OpenTransaction left = begun;
        begun = null;
        if (left != null) {
            left.abandon(new IllegalStateException("A transaction was begun for nothing"));
        }
    }

    /**
     * A transaction that is open.
     *
     * @param pipeline where the next one is begun
     * @param message for which it was begun; null if for several
     * @param recorded what is known of the message, if it has been recorded
     * @param after what its handlers have left for after its commit
     */
    record OpenTransaction(
            PipelinedTransaction pipeline,
            HandlerConnections.Lent lent,
            @Nullable InboundMessage message,
            @Nullable InboxRecord recorded,
            AfterCommits after)
            implements MessageTransaction {
        @Override
        public Connection connection() {
            return lent.connection();
        }

        @Override
        public DSLContext dsl() {
            return HandlersTransaction.of(lent.connection(), after);
        }

        @Override
        public boolean hasSavepoints() {
            return true;
        }

        @Override
        public void commit(Handling handled, InFlightWork work) throws SQLException {
            pipeline.commit(this, handled, work.fence());
        }

        @Override
        public void rollBack() throws SQLException {
            lent.connection().rollback();
            after.drop();
        }

        @Override
        public void end() {
            lent.giveBack();
        }

        @Override
        public void abandon(Throwable cause) {
            lent.abandon(cause);
        }
    }
}
