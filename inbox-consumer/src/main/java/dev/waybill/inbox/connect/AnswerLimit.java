package dev.waybill.inbox.connect;

import dev.waybill.schema.IdleLimit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the database may say nothing while it is waited for. A connection that a firewall has forgotten, or whose server has
 * vanished, would keep its thread for ever. A limit that the pool has set stays. Immutable.
 */
public record AnswerLimit(int millis) {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerLimit.class);

    /** Sets none. */
    public static final AnswerLimit NONE = new AnswerLimit(0);

    public static AnswerLimit of(Duration longestAnswer) {
        return new AnswerLimit((int) Math.min(longestAnswer.toMillis(), Integer.MAX_VALUE));
    }

    /** Returns whether it was set, and is to be {@linkplain #lift lifted} before the connection goes back to its pool. */
    public boolean set(Connection connection) throws SQLException {
        try {
            if (millis == 0 || connection.getNetworkTimeout() != 0) {
                return false;
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            return true;
        } catch (SQLFeatureNotSupportedException e) {
            return false;
        }
    }

    /** Limits in turn how long the database waits for its client within a transaction, which has just begun. */
    void limitIdleness(Connection tx) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            statement.execute(IdleLimit.statement(longestIdle()));
        }
    }

    /** No longer than is usual for transactions in which no handler runs. */
    public Duration longestIdle() {
        Duration answer = Duration.ofMillis(millis);
        return answer.isZero() || answer.compareTo(IdleLimit.DEFAULT) > 0 ? IdleLimit.DEFAULT : answer;
    }

    /** Never fails: a connection that takes no limit any more is broken, and its pool throws it away. */
    public static void lift(Connection connection, boolean set) {
        try {
            if (set && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be given back as it was", e);
        }
    }
}
