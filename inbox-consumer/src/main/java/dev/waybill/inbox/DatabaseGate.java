package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shut while the database cannot be reached, so that messages stay with the broker instead of spending their deliveries.
 * Thread-safe.
 */
final class DatabaseGate {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseGate.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final DataSource dataSource;
    private final ConsumerListener listener;
    private volatile @Nullable Throwable trouble;

    DatabaseGate(DataSource dataSource, ConsumerListener listener) {
        this.dataSource = dataSource;
        this.listener = listener;
    }

    boolean isOpen() {
        return trouble == null;
    }

    void shut(Throwable why) {
        synchronized (this) {
            if (trouble != null) {
                return;
            }
            trouble = why;
        }
        LOG.warn("The database cannot be reached; nothing is received until it can", why);
        listener.paused(why);
    }

    /** A statement has worked. */
    void open() {
        if (trouble == null) {
            return;
        }
        synchronized (this) {
            if (trouble == null) {
                return;
            }
            trouble = null;
        }
        LOG.info("The database is back");
        listener.resumed();
    }

    /** Returns once the database answers, or the consumer is to stop. */
    void await(Rest rest) throws InterruptedException {
        while (!isOpen()) {
            if (answers()) {
                open();
            } else if (!rest.during(PAUSE)) {
                return;
            }
        }
    }

    // One of the workers asks for all of them; a standby that takes no writes does not count.
    private synchronized boolean answers() {
        if (trouble == null) {
            return true;
        }
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("select not pg_is_in_recovery()")) {
            return answer.next() && answer.getBoolean(1);
        } catch (SQLException e) {
            LOG.debug("The database still cannot be reached", e);
            return false;
        }
    }
}
