package dev.waybill.relay.connect;

import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends in the server what a connection has begun that was closed here without an answer. A server that waits for a lock or for
 * a standby does not look whether its client is there, and its process would be one more beside each that the relay begins
 * instead. Thread-safe.
 */
public final class GivenUp {
    private static final Logger LOG = LoggerFactory.getLogger(GivenUp.class);

    /** A server that does not answer keeps each of them for the driver's {@code cancelSignalTimeout}. */
    private static final int MOST_AT_ONCE = 4;

    private static final int MOST_WAITING = 100;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MOST_AT_ONCE,
            MOST_AT_ONCE,
            100,
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            GivenUp::thread,
            new ThreadPoolExecutor.DiscardOldestPolicy());

    public GivenUp() {
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "waybill-relay-cancel");
        thread.setDaemon(true);
        return thread;
    }

    /** Asks the server on another thread; nothing is waited for, and no failure thrown. */
    public void endIfClosed(Connection driver) {
        try {
            if (driver.isClosed()) {
                threads.execute(() -> end(driver));
            }
        } catch (SQLException e) {
            LOG.debug("A connection does not say whether it is closed", e);
        }
    }

    private static void end(Connection driver) {
        try {
            DriverConnection.cancel(driver);
        } catch (SQLException | RuntimeException | LinkageError e) {
            LOG.debug("The server could not be asked to end what was given up", e);
        }
    }
}
