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
 * The longest wait for an answer of the database. Without it, a connection that a firewall dropped, or whose server vanished, would
 * block its thread for ever. A limit that the pool has set takes precedence. Immutable.
 */
public record AnswerLimit(int millis) {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerLimit.class);

    public static final AnswerLimit NONE = new AnswerLimit(0);

    public static AnswerLimit of(Duration longestAnswer) {
        return new AnswerLimit((int) Math.min(longestAnswer.toMillis(), Integer.MAX_VALUE));
    }

    /** Returns true if it set the limit, which the caller must {@linkplain #lift lift} before it returns the connection to the pool. */
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

    /** Limits how long the new transaction may be idle on the server. */
    void limitIdleness(Connection tx) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            statement.execute(IdleLimit.statement(longestIdle()));
        }
    }

    /** At most the usual idle limit of transactions without a handler. */
    public Duration longestIdle() {
        Duration answer = Duration.ofMillis(millis);
        return answer.isZero() || answer.compareTo(IdleLimit.DEFAULT) > 0 ? IdleLimit.DEFAULT : answer;
    }

    /** Never throws: a connection that rejects the change is broken, and its pool discards it. */
    public static void lift(Connection connection, boolean set) {
        try {
            if (set && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection's settings could not be restored", e);
        }
    }
}
