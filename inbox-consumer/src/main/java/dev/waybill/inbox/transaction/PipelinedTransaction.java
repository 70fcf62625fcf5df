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

// Begins the next message's transaction in the round trip that commits the previous one. While one is open, nothing is
// sent to the broker. For one worker's thread.
final class PipelinedTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(PipelinedTransaction.class);

    private @Nullable OpenTransaction begun;

    /** Commits a message and begins the next one's transaction, if that is known. */
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

    // A failure of the next message's record must not fail this message.
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

    /** The transaction that was begun for this message, or a new one. */
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

    OpenTransaction take(HandlerConnections connections) throws SQLException, InterruptedException {
        return new OpenTransaction(this, connections.take(), null, null, new AfterCommits());
    }

    void giveUp() {
        @Nullable OpenTransaction left = begun;
        begun = null;
        if (left != null) {
            left.abandon(new IllegalStateException("The transaction's message is not handled now"));
        }
    }

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
