package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;

/** Records and handles one message in one transaction. Thread-safe. */
final class InboxTransaction {
    private static final Configuration HANDLERS =
            new DefaultConfiguration().set(SQLDialect.POSTGRES).set(new Settings().withExecuteLogging(false));

    private final DataSource dataSource;
    private final Handler handler;

    InboxTransaction(DataSource dataSource, Handler handler) {
        this.dataSource = dataSource;
        this.handler = handler;
    }

    /**
     * Committed if the result says done; otherwise nothing remains, neither effects nor the id.
     *
     * @throws LockLostException if the message was lost meanwhile; nothing was committed
     * @throws Exception what the handler or the database threw, as it was thrown
     */
    Result process(InboundMessage message, Work work, Terms terms) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            work.using(connection);
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            Result result = process(connection, message, work, terms);
            // Only here, where no transaction is open: one that is would be committed by it.
            connection.setAutoCommit(autoCommit);
            return result;
        }
    }

    private Result process(Connection connection, InboundMessage message, Work work, Terms terms) throws Exception {
        try {
            Result result = recordAndHandle(connection, message, work, terms);
            work.end();
            work.requireLock();
            end(connection, message, result, terms);
            return result;
        } catch (Exception | Error e) {
            rollBack(connection, e);
            throw e;
        }
    }

    private Result recordAndHandle(Connection connection, InboundMessage message, Work work, Terms terms)
            throws Exception {
        Admission admission = terms.admit(connection, message);
        work.handling(admission.backend());
        return new Result(
                admission, admission.mayBeHandled() ? handler.handle(dsl(connection), message) : Verdict.done());
    }

    private static void end(Connection connection, InboundMessage message, Result result, Terms terms)
            throws SQLException {
        boolean concluded = result.isDone() && terms.conclude(connection, message, result.admission());
        if (concluded || result.isHandled()) {
            Commit.of(connection);
        } else {
            connection.rollback();
        }
    }

    static DSLContext dsl(Connection connection) {
        return DSL.using(
                HANDLERS.derive(new DefaultConnectionProvider(connection)).derive(new Savepoints()));
    }

    static void rollBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** What came of it; the verdict is the handler's if the message was admitted, otherwise done. */
    record Result(Admission admission, Verdict verdict) {
        /** The effects are in the database. */
        boolean isDone() {
            return verdict == Verdict.done() && (admission.mayBeHandled() || isDuplicate());
        }

        boolean isHandled() {
            return verdict == Verdict.done() && admission.mayBeHandled();
        }

        boolean isDuplicate() {
            return !admission.first();
        }

        /** It waits behind others that failed. */
        boolean isHeld() {
            return admission.first() && admission.holdKey() != null;
        }
    }
}
