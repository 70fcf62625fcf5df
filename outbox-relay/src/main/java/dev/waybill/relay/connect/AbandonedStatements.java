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
 * Cancels statements on the server after their connections timed out. Processes that wait for locks would accumulate.
 * Thread-safe.
 */
public final class AbandonedStatements {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedStatements.class);

    /** An unreachable server blocks each thread for the driver's {@code cancelSignalTimeout}. */
    private static final int MOST_AT_ONCE = 4;

    private static final int MOST_WAITING = 100;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MOST_AT_ONCE,
            MOST_AT_ONCE,
            100,
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            AbandonedStatements::thread,
            new ThreadPoolExecutor.DiscardOldestPolicy());

    public AbandonedStatements() {
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "waybill-relay-cancel");
        thread.setDaemon(true);
        return thread;
    }

    /** Cancels on another thread; neither blocks nor throws. */
    public void cancelIfClosed(Connection driver) {
        try {
            if (driver.isClosed()) {
                threads.execute(() -> cancel(driver));
            }
        } catch (SQLException e) {
            LOG.debug("A connection does not say whether it is closed", e);
        }
    }

    private static void cancel(Connection driver) {
        try {
            DriverConnection.cancel(driver);
        } catch (SQLException | RuntimeException | LinkageError e) {
            LOG.debug("An abandoned statement could not be cancelled", e);
        }
    }
}
