package dev.waybill.inbox.transaction;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.OutsideWork;
import dev.waybill.inbox.OutsideWorkException;
import dev.waybill.inbox.RollbackOnlyException;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.connect.AnswerLimit;
import dev.waybill.inbox.connect.Commit;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.record.InboxRecord;
import dev.waybill.schema.DriverConnection;
import dev.waybill.supervision.Traces;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction of the application's manager, whose commit the consumer does not trust: it checks the transaction before, and looks the
 * message's id up after an exception.
 */
final class BoundaryTransaction implements MessageTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(BoundaryTransaction.class);
    private static final Traces TRACES = new Traces();

    private final BoundaryTransactions.Checks checks;
    private final TransactionBoundary.Transaction transaction;
    private final Connection connection;
    private final @Nullable Connection driver;
    private final Runnable release;
    private boolean limited;
    private boolean over;
    private boolean released;

    // If limited, the connection has a limit to lift. The release runs once, at the end of the transaction.
    BoundaryTransaction(
            BoundaryTransactions.Checks checks,
            TransactionBoundary.Transaction transaction,
            Connection connection,
            boolean limited,
            Runnable release) {
        this.checks = checks;
        this.transaction = transaction;
        this.connection = connection;
        this.driver = limited ? DriverConnection.behind(connection) : null;
        this.limited = limited;
        this.release = release;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public @Nullable InboxRecord recorded() {
        return null;
    }

    @Override
    public DSLContext dsl() {
        return Handler.managedTransaction(connection);
    }

    @Override
    public boolean hasSavepoints() {
        return false;
    }

    @Override
    public void requireRepeatable(@Nullable Throwable thrown) throws OutsideWorkException {
        List<String> outside = transaction.outside();
        if (isRefused(outside)) {
            throw refused(outside, thrown);
        }
    }

    private boolean isRefused(List<String> outside) {
        return !outside.isEmpty() && checks.outside() == OutsideWork.REFUSE;
    }

    private static OutsideWorkException refused(List<String> outside, @Nullable Throwable met) {
        var refused = new OutsideWorkException(outside);
        if (met != null) {
            refused.addSuppressed(met);
        }
        return refused;
    }

    @Override
    public boolean mayGoOn() {
        try {
            return !transaction.isRollbackOnly() && !connection.isClosed();
        } catch (Exception e) {
            LOG.debug("A transaction does not report its state", e);
            return false;
        }
    }

    @Override
    public void commit(Handling handled, InFlightWork work) throws Exception {
        requireSound();
        int known = transaction.outside().size();
        close();
        try {
            transaction.commit();
        } catch (Throwable e) {
            // An interrupt that the manager leaves behind must not stop the look-up.
            work.end();
            requireCommitted(handled.message(), blamed(e, known));
            return;
        }
        warn(outsideSince(known));
        @Nullable Fence fence = work.fence();
        if (fence != null) {
            fence.committed();
        }
    }

    // The order matters: a flush may fail, mark the transaction and thereby explain the guard's failure.
    private void requireSound() throws Exception {
        transaction.flush();
        if (transaction.isRollbackOnly()) {
            throw new RollbackOnlyException();
        }
        requireRepeatable(null);
        warn(transaction.outside());
        Commit.guard(connection);
    }

    // Commit listeners may also work outside, which shows only now.
    private List<String> outsideSince(int known) {
        List<String> outside = transaction.outside();
        return outside.subList(Math.min(known, outside.size()), outside.size());
    }

    private Throwable blamed(Throwable met, int known) {
        List<String> outside = outsideSince(known);
        warn(outside);
        return isRefused(outside) ? refused(outside, met) : met;
    }

    private void requireCommitted(InboundMessage message, Throwable met) throws Exception {
        boolean committed;
        try {
            committed = checks.ids().contains(message);
        } catch (SQLException e) {
            e.addSuppressed(met);
            throw new NotRecordedException(e);
        }
        if (!committed) {
            throwAsIs(met);
        }
        TRACES.warn(
                LOG,
                "Message '" + message.id()
                        + "' is done: its commit threw an exception after the database had committed",
                met);
    }

    private static void throwAsIs(Throwable met) throws Exception {
        if (met instanceof Error error) {
            throw error;
        }
        throw met instanceof Exception exception ? exception : new IllegalStateException(met);
    }

    @Override
    public void rollBack() throws Exception {
        warn(transaction.outside());
        close();
        transaction.rollBack();
    }

    // From here on another component may use the connection.
    private void close() {
        boolean lifted = limited;
        limited = false;
        AnswerLimit.lift(limitedOne(), lifted);
        over = true;
    }

    // A handler that ended the transaction has returned the pool's connection and, with the driver's, the limit.
    private Connection limitedOne() {
        try {
            return driver != null && connection.isClosed() ? driver : connection;
        } catch (SQLException | RuntimeException e) {
            return connection;
        }
    }

    @Override
    public void end() {
        if (!released) {
            released = true;
            release.run();
        }
    }

    @Override
    public void abandon(Throwable cause) {
        try {
            if (!over) {
                rollBack();
            }
        } catch (Throwable e) {
            cause.addSuppressed(e);
        } finally {
            end();
        }
    }

    private static void warn(List<String> outside) {
        if (!outside.isEmpty()) {
            LOG.warn("A handler worked outside the transaction of its message: {}", String.join("; ", outside));
        }
    }
}
