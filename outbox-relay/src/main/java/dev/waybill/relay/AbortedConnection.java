package dev.waybill.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection that nobody must use again, however the pool checks what it gives out. */
final class AbortedConnection {
    private static final Logger LOG = LoggerFactory.getLogger(AbortedConnection.class);

    private AbortedConnection() {}

    /** Closes the socket and lets the pool have what is left. Nothing is waited for, and no failure thrown. */
    static void release(Connection connection, DSLContext pool) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be aborted", e);
        }
        failOnce(connection);
        try {
            pool.configuration().connectionProvider().release(connection);
        } catch (RuntimeException e) {
            LOG.debug("An aborted connection could not be given back", e);
        }
    }

    // HikariCP does not look whether a connection that is given back is open, nor whether one that was used a moment
    // ago
    // still answers. It drops one that has failed with a state of class 08.
    private static void failOnce(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        } catch (SQLException | RuntimeException e) {
            LOG.trace("The pool has seen that the connection is gone", e);
        }
    }
}
