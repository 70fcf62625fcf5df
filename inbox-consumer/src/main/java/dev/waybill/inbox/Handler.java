package dev.waybill.inbox;

import dev.waybill.inbox.connect.HandlersTransaction;
import java.sql.Connection;
import java.util.Objects;
import org.jooq.DSLContext;

/** Handles a message. Called by several threads, for messages of different sessions. */
@FunctionalInterface
public interface Handler {
    /**
     * Applies the message in the transaction that records it.
     *
     * @param tx the inbox's transaction; what is done through it is committed together with the record, or not at
     *     all
     * @return what is to become of the message
     * @throws Exception rolled back; what it means for the message the consumer's {@link FailurePolicy} says
     */
    Verdict handle(DSLContext tx, InboundMessage message) throws Exception;

    /** A handler on the plain connection of the inbox's transaction. */
    static Handler onConnection(JdbcHandler handler) {
        return (tx, message) -> handler.handle(
                Objects.requireNonNull(tx.configuration().connectionProvider().acquire()), message);
    }

    /**
     * A message's transaction as its handler gets it, for tests that call handlers without a consumer. Nested transactions are
     * savepoints. The connection refuses to commit, to roll back as a whole and to be closed.
     *
     * @param connection without auto-commit
     */
    static DSLContext transaction(Connection connection) {
        return HandlersTransaction.of(connection);
    }

    /** The same in the transaction of a {@link TransactionBoundary}, whose manager alone can undo parts of it. */
    static DSLContext managedTransaction(Connection connection) {
        return HandlersTransaction.managed(connection);
    }
}
