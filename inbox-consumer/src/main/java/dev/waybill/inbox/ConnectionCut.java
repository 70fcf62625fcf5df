package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a statement that waits for the database and hears no interrupt. */
final class ConnectionCut {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionCut.class);

    private ConnectionCut() {}

    static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.warn("A handler's connection could not be cut", e);
        }
    }
}
