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
 * Stops a statement that ignores an interrupt. It first asks the server to cancel, which frees the statement's locks. If that fails, it
 * cuts the connection; the server may then continue for a while.
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

    /** Asynchronous, because the pool may have no free connection. */
    void cancel(Backend backend) {
        var thread = new Thread(() -> ask(backend), "waybill-inbox-cancel-" + backend.pid());
        thread.setDaemon(true);
        thread.start();
    }

    // Returns messages read ahead before their lock ends: the broker then counts no delivery for them. Asynchronous.
    void giveBack(Receiver receiver) {
        var thread = new Thread(receiver::close, "waybill-inbox-give-back");
        thread.setDaemon(true);
        thread.start();
    }

    private void ask(Backend backend) {
        try {
            int cancelled = database.number(CANCEL, backend.pid(), backend.since());
            LOG.warn("A handler ignored its interrupt; {} statements cancelled", cancelled);
        } catch (SQLException | RuntimeException e) {
            TRACES.warn(LOG, "A handler's statement could not be cancelled", e);
        }
    }

    /** Asynchronous: closing a TLS socket waits for a concurrent writer, and the caller has other locks to renew. */
    void cut(Connection connection) {
        LOG.warn(
                "A handler ignored interrupt and cancellation; its connection is cut, and its worker is blocked until it returns");
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
