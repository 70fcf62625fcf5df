package dev.waybill.inbox.connect;

import dev.waybill.outbox.CommitActions;
import java.sql.Connection;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.TransactionProvider;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;

/** A handler's transaction in jOOQ. Nested transactions are savepoints. The connection rejects commit, full rollback and close. */
public final class HandlersTransaction {
    private static final Configuration HANDLERS =
            new DefaultConfiguration().set(SQLDialect.POSTGRES).set(new Settings().withExecuteLogging(false));

    private HandlersTransaction() {}

    public static DSLContext of(Connection connection) {
        return dsl(HandlersConnection.of(connection), new Savepoints());
    }

    /** With actions that run after the commit. */
    public static DSLContext of(Connection connection, CommitActions after) {
        return dsl(HandlersConnection.of(connection, after), new Savepoints());
    }

    /** In the transaction of a {@code TransactionBoundary}: only the boundary's manager can undo parts of it. */
    public static DSLContext managed(Connection connection) {
        return dsl(HandlersConnection.managed(connection), new NoSavepoints());
    }

    private static DSLContext dsl(Connection connection, TransactionProvider nested) {
        return DSL.using(
                HANDLERS.derive(new DefaultConnectionProvider(connection)).derive(nested));
    }
}
