package dev.waybill.inbox;

import java.sql.Connection;

/** A {@link Handler} for those who do not use jOOQ. */
@FunctionalInterface
public interface JdbcHandler {
    /**
     * Applies the message in the transaction that records it.
     *
     * @param tx the inbox's transaction; not to be committed, rolled back or closed
     */
    Verdict handle(Connection tx, InboundMessage message) throws Exception;
}
