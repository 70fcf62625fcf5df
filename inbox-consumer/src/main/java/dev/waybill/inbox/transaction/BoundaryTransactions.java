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

/**
 * Transactions of the user's kind: a new one for each try, alone in its round trips. None is begun before the
 * boundary has proven that it works. Thread-safe.
 */
final class BoundaryTransactions implements MessageTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(BoundaryTransactions.class);

    private final TransactionBoundary boundary;
    private final BoundaryProbe probe;
    private final Checks checks;
    private final Duration longest;
    private final Semaphore free;
    private volatile boolean proven;

    /**
     * @param longest how long a transaction may last
     * @param most how many there may be at once
     */
    BoundaryTransactions(TransactionBoundary boundary, BoundaryProbe probe, Checks checks, Duration longest, int most) {
        this.boundary = boundary;
        this.probe = probe;
        this.checks = checks;
        this.longest = longest;
        free = new Semaphore(most, true);
    }

    /**
     * The checks of each transaction beyond its boundary.
     *
     * @param ids knows which messages are done
     * @param limit how long the database may say nothing, up to the commit
     */
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

    // The consumer was started while the database was away.
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
            LOG.debug("A transaction that was of no use could not be rolled back", e);
        }
    }

    /** Begins a transaction. An exception of the manager is no message's fault, so it becomes one of the database. */
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
