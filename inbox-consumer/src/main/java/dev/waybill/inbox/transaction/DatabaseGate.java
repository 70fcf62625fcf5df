package dev.waybill.inbox.transaction;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.connect.AnswerLimit;
import dev.waybill.inbox.lock.StoppableSleep;
import dev.waybill.supervision.Fault;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closed while the database is unavailable, so that messages stay on the broker and do not use up deliveries. Thread-safe. */
public final class DatabaseGate {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseGate.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** The longest interval between polls of a database that answers but fails its users. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** False on a standby or a demoted primary. */
    static final String TAKES_WRITES =
            "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'";

    private final Object probe = new Object();
    private final DataSource dataSource;
    private final AnswerLimit limit;
    private final ConsumerListener listener;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private volatile @Nullable Throwable trouble;
    private volatile Duration pause = PAUSE;
    private volatile boolean proven = true;

    public DatabaseGate(DataSource dataSource, AnswerLimit limit, ConsumerListener listener) {
        this.dataSource = dataSource;
        this.limit = limit;
        this.listener = listener;
    }

    /** The outage log. */
    public Fault fault() {
        return fault;
    }

    public boolean isOpen() {
        return trouble == null;
    }

    public void shut(Throwable why) {
        synchronized (this) {
            if (trouble != null) {
                return;
            }
            trouble = why;
            Duration doubled = pause.multipliedBy(2);
            pause = proven ? PAUSE : (doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE);
            proven = false;
        }
        fault.failed("The database is unavailable; the consumer receives nothing until it is back", why);
        listener.paused(why);
    }

    /** The cause of the outage; null while the gate is open. */
    public @Nullable Throwable trouble() {
        return trouble;
    }

    public void open() {
        if (!proven) {
            opened(true);
        }
    }

    private void opened(boolean works) {
        synchronized (this) {
            proven |= works;
            if (trouble == null) {
                return;
            }
            trouble = null;
        }
        fault.recovered("The database is back");
        listener.resumed();
    }

    /** Returns when the database accepts writes, or the consumer stops. */
    public void await(StoppableSleep sleep) throws InterruptedException {
        if (isOpen()) {
            fault.recovered("The database is back");
        }
        while (!isOpen() && sleep.during(pause)) {
            if (answers()) {
                opened(false);
            }
        }
    }

    // One thread polls for all of them. A read-only standby does not count.
    private boolean answers() {
        synchronized (probe) {
            return isOpen() || probed();
        }
    }

    private boolean probed() {
        try (Connection connection = dataSource.getConnection()) {
            boolean limited = limit.set(connection);
            try (Statement statement = connection.createStatement();
                    ResultSet answer = statement.executeQuery(TAKES_WRITES)) {
                return answer.next() && answer.getBoolean(1);
            } finally {
                AnswerLimit.lift(connection, limited);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The database is still unavailable", e);
            return false;
        }
    }
}
