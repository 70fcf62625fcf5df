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
 * Connections of handlers' transactions: at most one per concurrent handler, granted in request order. So messages from the broker,
 * from holds and from deferrals all get their turn. Thread-safe.
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

    /** A connection without auto-commit. The caller must {@linkplain Lent#giveBack give it back}. */
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

    // The pool's auto-commit mode is restored on return, and a limit is lifted.
    record Lent(HandlerConnections lender, Connection connection, boolean autoCommit, boolean limited) {
        /** Requires that no transaction is open: the mode change would commit it. Never throws. */
        void giveBack() {
            try {
                connection.setAutoCommit(autoCommit);
                AnswerLimit.lift(connection, limited);
            } catch (SQLException | RuntimeException e) {
                LOG.debug("A connection's settings could not be restored; its pool discards it", e);
            } finally {
                lender.close(connection);
            }
        }

        /** Rolls a failed transaction back, or ends it with its connection. */
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

        // A pool may hand out a connection that was closed with an open transaction. Its next user would find ids that
        // no commit will confirm.
        private void cut(Throwable cause) {
            try {
                DriverConnection.abort(connection);
            } catch (SQLException | RuntimeException e) {
                cause.addSuppressed(e);
            }
        }
    }
}
