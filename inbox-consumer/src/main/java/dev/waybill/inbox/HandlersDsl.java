package dev.waybill.inbox;

import dev.waybill.inbox.connect.HandlersTransaction;
import java.sql.Connection;
import org.jooq.DSLContext;

/**
 * The transaction of a message as its handler gets it; public for tests, which call handlers without a consumer.
 *
 * <p>Nested transactions of jOOQ are savepoints. The connection refuses to commit, to roll back as a whole and to
 * be closed, for whoever has begun the transaction ends it.
 */
public final class HandlersDsl {
    private HandlersDsl() {}

    /** On a connection without auto-commit: parts of the transaction can be undone. */
    public static DSLContext of(Connection connection) {
        return HandlersTransaction.of(connection);
    }

    /** In the transaction of a {@link TransactionBoundary}: only the boundary's manager can undo parts of it. */
    public static DSLContext managed(Connection connection) {
        return HandlersTransaction.managed(connection);
    }
}
