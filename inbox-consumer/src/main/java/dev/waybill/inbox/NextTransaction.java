package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of the message to come, begun in the round trip that commits the one before. A worker's own, used by its
 * thread alone. While one is begun, nothing is said to the broker.
 */
final class NextTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(NextTransaction.class);

    private @Nullable InboundMessage announced;
    private @Nullable Begun begun;

    /** Which message will be handled after the one that is handed over now, if that is done; null if none is known. */
    void announce(@Nullable InboundMessage message) {
        announced = message;
    }

    /** Commits a message that is done; with it the next one's transaction begins if there is one announced. */
    void commit(Begun done, Terms terms) throws SQLException {
        @Nullable InboundMessage next = announced;
        announced = null;
        if (next == null) {
            Commit.of(done.connection());
        } else {
            commitAndBegin(done, terms, next);
        }
    }

    private void commitAndBegin(Begun done, Terms terms, InboundMessage next) throws SQLException {
        Connection connection = done.connection();
        try {
            begun = new Begun(connection, done.autoCommit(), next, terms.commitAndAdmit(connection, next));
        } catch (SQLException e) {
            if (!isCommitted(done, terms, e)) {
                throw e;
            }
            LOG.debug("Message '{}' could not be begun yet", next.id(), e);
        }
    }

    // The next one's trouble is no failure of this one.
    private static boolean isCommitted(Begun done, Terms terms, SQLException failure) {
        try {
            done.connection().rollback();
            boolean committed = terms.isRecorded(done.connection(), done.message());
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
    Begun take(InboundMessage message, DataSource dataSource) throws SQLException {
        @Nullable Begun taken = begun;
        if (taken != null && taken.message() == message) {
            begun = null;
            return taken;
        }
        rollBack();
        Connection connection = dataSource.getConnection();
        try {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            return new Begun(connection, autoCommit, message, null);
        } catch (SQLException | RuntimeException e) {
            close(connection, e);
            throw e;
        }
    }

    /** The message does not come to be handled now. */
    void giveUp() {
        announced = null;
        rollBack();
    }

    private void rollBack() {
        @Nullable Begun left = begun;
        begun = null;
        if (left != null) {
            try {
                left.connection().rollback();
                left.end();
            } catch (SQLException e) {
                LOG.debug("A transaction that was begun for nothing could not be ended", e);
                close(left.connection(), e);
            }
        }
    }

    private static void close(Connection connection, Throwable cause) {
        try {
            connection.close();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * A transaction that is open.
     *
     * @param autoCommit the mode in which the pool gave the connection, and wants it back
     * @param admission of the message, if it has been admitted
     */
    record Begun(
            Connection connection,
            boolean autoCommit,
            InboundMessage message,
            @Nullable Admission admission) {
        /** The transaction is over. */
        void end() throws SQLException {
            // Only here, where no transaction is open: one that is would be committed by it.
            connection.setAutoCommit(autoCommit);
            connection.close();
        }

        /** The transaction has failed. */
        void abandon(Throwable cause) {
            InboxTransaction.rollBack(connection, cause);
            close(connection, cause);
        }
    }
}
