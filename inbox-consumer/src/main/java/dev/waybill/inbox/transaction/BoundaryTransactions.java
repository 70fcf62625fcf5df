package dev.waybill.inbox.transaction;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.OutsideWork;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.connect.AnswerLimit;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.lock.InFlightWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions of the application's manager: a new one for each attempt, after a check of the boundary. Thread-safe. */
final class BoundaryTransactions implements MessageTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(BoundaryTransactions.class);

    private final TransactionBoundary boundary;
    private final BoundaryProbe probe;
    private final Checks checks;
    private final Duration longest;
    private final Semaphore free;
    private volatile boolean proven;

    BoundaryTransactions(TransactionBoundary boundary, BoundaryProbe probe, Checks checks, Duration longest, int most) {
        this.boundary = boundary;
        this.probe = probe;
        this.checks = checks;
        this.longest = longest;
        free = new Semaphore(most, true);
    }

    record Checks(CommittedIds ids, AnswerLimit limit, OutsideWork outside) {}

    @Override
    public void prove() throws SQLException, InterruptedException {
        synchronized (probe) {
            if (!proven) {
                probe.require(boundary, longest);
                proven = true;
            }
        }
    }

    @Override
    public MessageTransaction begin(InboundMessage message, InFlightWork work)
            throws SQLException, InterruptedException {
        return begin();
    }

    @Override
    public MessageTransaction begin() throws SQLException, InterruptedException {
        free.acquire();
        @Nullable MessageTransaction begun = null;
        try {
            requireProven();
            begun = begun();
            return begun;
        } finally {
            if (begun == null) {
                free.release();
            }
        }
    }

    // The check was skipped if the database was unavailable at start.
    private void requireProven() throws SQLException, InterruptedException {
        try {
            if (!proven) {
                prove();
            }
        } catch (IllegalStateException e) {
            throw new SQLException(e.getMessage(), e);
        }
    }

    private MessageTransaction begun() throws SQLException, InterruptedException {
        TransactionBoundary.Transaction transaction = begin(boundary, longest);
        boolean ready = false;
        try {
            Connection connection = transaction.connection();
            boolean limited = checks.limit().set(connection);
            ready = true;
            return new BoundaryTransaction(checks, transaction, connection, limited, free::release);
        } catch (RuntimeException e) {
            throw new SQLException("A transaction has no connection: " + FailureText.brief(e), e);
        } finally {
            if (!ready) {
                rollBack(transaction);
            }
        }
    }

    static void rollBack(TransactionBoundary.Transaction transaction) {
        try {
            transaction.rollBack();
        } catch (Throwable e) {
            LOG.debug("An unused transaction could not be rolled back", e);
        }
    }

    /** Turns an exception of the manager into a SQLException, because no message is its cause. */
    static TransactionBoundary.Transaction begin(TransactionBoundary boundary, Duration longest)
            throws SQLException, InterruptedException {
        try {
            return boundary.begin(longest);
        } catch (SQLException | InterruptedException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException("No transaction could be begun: " + FailureText.brief(e), e);
        }
    }
}
