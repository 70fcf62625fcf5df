package dev.waybill.inbox;

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
    static Handler onConnection(ConnectionHandler handler) {
        return (tx, message) -> handler.handle(
                Objects.requireNonNull(tx.configuration().connectionProvider().acquire()), message);
    }
}
