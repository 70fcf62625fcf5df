package dev.waybill.inbox;

import dev.waybill.inbox.connect.HandlersConnection;
import dev.waybill.inbox.connect.NoSavepoints;
import dev.waybill.inbox.connect.Savepoints;
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

/**
 * The transaction of a message as its handler gets it; public for tests, which call handlers without a consumer.
 *
 * <p>Nested transactions of jOOQ are savepoints. The connection refuses to commit, to roll back as a whole and to
 * be closed, for whoever has begun the transaction ends it.
 */
public final class HandlersDsl {
    private static final Configuration HANDLERS =
            new DefaultConfiguration().set(SQLDialect.POSTGRES).set(new Settings().withExecuteLogging(false));

    private HandlersDsl() {}

    /** On a connection without auto-commit: parts of the transaction can be undone. */
    public static DSLContext of(Connection connection) {
        return dsl(HandlersConnection.of(connection), new Savepoints());
    }

    /** The same with actions for after the commit, which whoever commits the transaction runs. */
    public static DSLContext of(Connection connection, CommitActions after) {
        return dsl(HandlersConnection.of(connection, after), new Savepoints());
    }

    /** In the transaction of a {@link TransactionBoundary}: only the boundary's manager can undo parts of it. */
    public static DSLContext managed(Connection connection) {
        return dsl(HandlersConnection.managed(connection), new NoSavepoints());
    }

    private static DSLContext dsl(Connection connection, TransactionProvider nested) {
        return DSL.using(
                HANDLERS.derive(new DefaultConnectionProvider(connection)).derive(nested));
    }
}
