package dev.waybill.inbox.transaction;

import dev.waybill.inbox.connect.AnswerLimit;
import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of handlers' transactions, no more of them at once than handlers may run side by side, in the order in which
 * they are asked for: what comes from the broker, from holds and from deferrals has its turn. Thread-safe.
 */
final class HandlerConnections {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerConnections.class);

    private final DataSource dataSource;
    private final AnswerLimit limit;
    private final Semaphore free;

    HandlerConnections(DataSource dataSource, AnswerLimit limit, int most) {
        this.dataSource = dataSource;
        this.limit = limit;
        free = new Semaphore(most, true);
    }

    /** A connection without auto-commit; to be {@linkplain Lent#giveBack given back}. */
    Lent take() throws SQLException, InterruptedException {
        free.acquire();
        boolean taken = false;
        try {
            Connection connection = dataSource.getConnection();
            taken = true;
            return lent(connection);
        } finally {
            if (!taken) {
                free.release();
            }
        }
    }

    private Lent lent(Connection connection) throws SQLException {
        boolean autoCommit = true;
        boolean ready = false;
        try {
            boolean limited = limit.set(connection);
            autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            ready = true;
            return new Lent(this, connection, autoCommit, limited);
        } finally {
            if (!ready) {
                close(connection);
            }
        }
    }

    private void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be closed", e);
        } finally {
            free.release();
        }
    }

    /**
     * A connection that is lent.
     *
     * @param autoCommit the mode in which the pool gave it, and wants it back
     * @param limited whether a limit on its answers is to be lifted
     */
    record Lent(HandlerConnections lender, Connection connection, boolean autoCommit, boolean limited) {
        /** No transaction is open any more: one that is would be committed by the change of mode. Never fails. */
        void giveBack() {
            try {
                connection.setAutoCommit(autoCommit);
                AnswerLimit.lift(connection, limited);
            } catch (SQLException | RuntimeException e) {
                LOG.debug("A connection could not be given back as it was; its pool throws it away", e);
            } finally {
                lender.close(connection);
            }
        }

        /** The transaction has failed: it is rolled back, or ends with the connection. */
        void abandon(Throwable cause) {
            try {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
                AnswerLimit.lift(connection, limited);
            } catch (SQLException | RuntimeException e) {
                cause.addSuppressed(e);
                cut(cause);
            } finally {
                lender.close(connection);
            }
        }

        // A pool may hand on what is closed with its transaction open: there the next message finds ids that
        // nobody commits.
        private void cut(Throwable cause) {
            try {
                DriverConnection.abort(connection);
            } catch (SQLException | RuntimeException e) {
                cause.addSuppressed(e);
            }
        }
    }
}
