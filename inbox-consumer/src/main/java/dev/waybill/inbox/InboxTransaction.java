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
    private final DataSource dataSource;
    private final InboxInsert insert;
    private final String consumer;
    private final Handler handler;
    private final Configuration handlers =
            new DefaultConfiguration().set(SQLDialect.POSTGRES).set(new Settings().withExecuteLogging(false));

    InboxTransaction(DataSource dataSource, InboxInsert insert, String consumer, Handler handler) {
        this.dataSource = dataSource;
        this.insert = insert;
        this.consumer = consumer;
        this.handler = handler;
    }

    /**
     * Committed if the result says done; otherwise nothing remains, neither effects nor the id.
     *
     * @throws LockLostException if the message was lost meanwhile; nothing was committed
     * @throws Exception what the handler or the database threw, as it was thrown
     */
    Result process(InboundMessage message, Work work) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            work.using(connection);
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            Result result = process(connection, message, work);
            // Only here, where no transaction is open: one that is would be committed by it.
            connection.setAutoCommit(autoCommit);
            return result;
        }
    }

    private Result process(Connection connection, InboundMessage message, Work work) throws Exception {
        try {
            return commitIfDone(connection, recordAndHandle(connection, message), work);
        } catch (Exception | Error e) {
            rollBack(connection, e);
            throw e;
        }
    }

    private Result recordAndHandle(Connection connection, InboundMessage message) throws Exception {
        if (!insert.execute(connection, consumer, message.id())) {
            return new Result(true, Verdict.done());
        }
        return new Result(false, handler.handle(dsl(connection), message));
    }

    // A duplicate has written nothing.
    private static Result commitIfDone(Connection connection, Result result, Work work) throws SQLException {
        work.end();
        work.requireLock();
        if (result.commits()) {
            Commit.of(connection);
        } else {
            connection.rollback();
        }
        return result;
    }

    private DSLContext dsl(Connection connection) {
        return DSL.using(
                handlers.derive(new DefaultConnectionProvider(connection)).derive(new Savepoints()));
    }

    private static void rollBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** What came of it; a duplicate was not handed to the handler. */
    record Result(boolean duplicate, Verdict verdict) {
        boolean commits() {
            return !duplicate && verdict == Verdict.done();
        }
    }
}
