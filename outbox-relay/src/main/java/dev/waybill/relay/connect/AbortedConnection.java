package dev.waybill.relay.connect;

import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Discards connections that must not be used again. */
public final class AbortedConnection {
    private static final Logger LOG = LoggerFactory.getLogger(AbortedConnection.class);

    private AbortedConnection() {}

    /** Closes the socket and releases the connection to its pool. Neither blocks nor throws. */
    public static void release(Connection connection, DSLContext pool) {
        try {
            DriverConnection.abort(connection);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be aborted", e);
        }
        try {
            pool.configuration().connectionProvider().release(connection);
        } catch (RuntimeException e) {
            LOG.debug("An aborted connection could not be released", e);
        }
    }
}
