package dev.waybill.inbox.lock;

import dev.waybill.inbox.Receiver;
import dev.waybill.inbox.connect.Backend;
import dev.waybill.inbox.connect.Database;
import dev.waybill.schema.DriverConnection;
import dev.waybill.supervision.Traces;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a statement that waits in the database and hears no interrupt: first by asking the server to cancel it, which frees
 * its locks; then, if that has not helped, by cutting the connection, after which the server may still go on for a while.
 */
public final class StatementCanceller {
    private static final Logger LOG = LoggerFactory.getLogger(StatementCanceller.class);
    private static final Traces TRACES = new Traces();
    private static final String CANCEL = "select count(pg_cancel_backend(pid)) from pg_stat_activity"
            + " where pid = ? and xact_start = ?::timestamptz";

    private final Database database;

    public StatementCanceller(Database database) {
        this.database = database;
    }

    /** Returns at once: the pool may have no connection to spare just now. */
    void cancel(Backend backend) {
        var thread = new Thread(() -> ask(backend), "waybill-inbox-cancel-" + backend.pid());
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Gives a session back whose lock is about to end, or has ended, whatever its worker is doing: what was read ahead goes back
     * as it was, instead of being taken for delivered. Returns at once.
     */
    void giveBack(Receiver receiver) {
        var thread = new Thread(receiver::close, "waybill-inbox-give-back");
        thread.setDaemon(true);
        thread.start();
    }

    private void ask(Backend backend) {
        try {
            int cancelled = database.number(CANCEL, backend.pid(), backend.since());
            LOG.warn("A handler's statement did not heed its interruption; {} cancelled", cancelled);
        } catch (SQLException | RuntimeException e) {
            TRACES.warn(LOG, "A handler's statement could not be cancelled", e);
        }
    }

    /**
     * Returns at once: to close a socket waits for whoever is writing to it, over TLS, and the caller has the locks of all
     * others to prolong.
     */
    void cut(Connection connection) {
        LOG.warn(
                "A handler has not heeded its interruption; its connection is cut, and its thread is its own until it returns");
        var thread = new Thread(() -> abort(connection), "waybill-inbox-cut");
        thread.setDaemon(true);
        thread.start();
    }

    private static void abort(Connection connection) {
        try {
            DriverConnection.abort(connection);
        } catch (SQLException | RuntimeException e) {
            TRACES.warn(LOG, "A handler's connection could not be cut", e);
        }
    }
}
