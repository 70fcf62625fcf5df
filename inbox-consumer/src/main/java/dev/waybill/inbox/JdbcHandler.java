package dev.waybill.inbox;

import java.sql.Connection;

/** A {@link Handler} on a plain connection. */
@FunctionalInterface
public interface JdbcHandler {
    /** Applies the message in the transaction that records its id. The connection rejects commit, rollback and close. */
    Verdict handle(Connection tx, InboundMessage message) throws Exception;
}
