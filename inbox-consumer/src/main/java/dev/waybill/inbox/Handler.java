package dev.waybill.inbox;

import dev.waybill.inbox.connect.HandlersTransaction;
import java.sql.Connection;
import java.util.Objects;
import org.jooq.DSLContext;

/** Handles a message. Threads call it concurrently for messages of different sessions. */
@FunctionalInterface
public interface Handler {
    /**
     * Applies the message in the transaction that records its id.
     *
     * @param tx the message's transaction: its effects commit with the id, or not at all
     * @throws Exception rolls back; the consumer's {@link FailurePolicy} classifies it
     */
    Verdict handle(DSLContext tx, InboundMessage message) throws Exception;

    /** Adapts a handler that uses a plain connection. */
    static Handler onConnection(JdbcHandler handler) {
        return (tx, message) -> handler.handle(
                Objects.requireNonNull(tx.configuration().connectionProvider().acquire()), message);
    }

    /**
     * The transaction that a handler gets, for tests without a consumer. Nested transactions are savepoints. The connection rejects
     * commit, full rollback and close, and must not be in auto-commit mode.
     */
    static DSLContext transaction(Connection connection) {
        return HandlersTransaction.of(connection);
    }

    /** The transaction that a handler gets under a {@link TransactionBoundary}. It rejects savepoints, which only the manager may set. */
    static DSLContext managedTransaction(Connection connection) {
        return HandlersTransaction.managed(connection);
    }
}
