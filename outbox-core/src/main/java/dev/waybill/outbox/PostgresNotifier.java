package dev.waybill.outbox;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies relays after a commit, at most once per {@link WakeChannel#INTERVAL}. Never throws. Thread-safe. */
final class PostgresNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifier.class);

    // PostgreSQL serializes the commits of notifying transactions, so this one skips the wait for the log and limits
    // its wait for others.
    private static final String NOTIFY = "select set_config('synchronous_commit', 'off', true),"
            + " set_config('lock_timeout', '100ms', true), pg_notify(?, '')";

    private static final String NOTIFY_AND_COMMIT = NOTIFY + OutboxInsert.COMMIT;

    private final String channel;
    private final LongSupplier nanos;
    private final AtomicLong last;

    /** @param nanos a monotonic clock in nanoseconds */
    PostgresNotifier(SchemaName schema, LongSupplier nanos) {
        this.channel = WakeChannel.of(schema);
        this.nanos = nanos;
        this.last = new AtomicLong(nanos.getAsLong() - WakeChannel.INTERVAL.toNanos());
    }

    /** Sends a notification if one is due, through a connection outside a transaction. */
    void send(Connection connection) {
        long now = nanos.getAsLong();
        long before = last.get();
        if (now - before < WakeChannel.INTERVAL.toNanos()) {
            return;
        }
        try {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit && !isIdle(connection)) {
                LOG.debug("No notification on {}: the connection is not known to be outside a transaction", channel);
            } else if (last.compareAndSet(before, now)) {
                notify(connection, autoCommit);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("No notification on {}; relays find the rows by polling", channel, e);
        }
    }

    // The driver knows without a round trip. If it cannot be asked, the connection may be in a transaction of the
    // caller.
    private static boolean isIdle(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class)
                && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.IDLE;
    }

    private void notify(Connection connection, boolean autoCommit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(autoCommit ? NOTIFY : NOTIFY_AND_COMMIT)) {
            statement.setString(1, channel);
            statement.execute();
        } catch (SQLException e) {
            if (!autoCommit) {
                connection.rollback();
            }
            throw e;
        }
    }
}
