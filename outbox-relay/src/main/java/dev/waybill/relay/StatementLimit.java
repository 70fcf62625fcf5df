package dev.waybill.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the driver ask the server to end a statement shortly before its connection would count as lost. So the statement does not
 * go on in the server, and the connection stays. It is no setting of the session, so it costs no round trip, and none stays
 * with a pool or a pooler. Thread-safe.
 */
final class StatementLimit implements ExecuteListener {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(StatementLimit.class);
    private static final String CANCELED = "57014";

    /** Marks a statement whose limit is this one. */
    private static final String LIMITED = StatementLimit.class.getName();

    @Override
    public void executeStart(ExecuteContext context) {
        PreparedStatement statement = context.statement();
        try {
            int seconds = secondsWithin(context.connection());
            if (statement != null && seconds > 0 && statement.getQueryTimeout() == 0) {
                statement.setQueryTimeout(seconds);
                context.data(LIMITED, seconds);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A statement takes no limit: the pool or driver is an older one", e);
        }
    }

    // Whole seconds below the time after which the connection counts as lost, which may be the caller's; 0 for
    // no limit.
    private static int secondsWithin(@Nullable Connection connection) throws SQLException {
        int millis = connection == null ? 0 : connection.getNetworkTimeout();
        return millis <= 0 ? 0 : Math.max(1, (millis - 1) / 1000);
    }

    @Override
    public void executeEnd(ExecuteContext context) {
        restore(context);
    }

    @Override
    public void exception(ExecuteContext context) {
        @Nullable Object seconds = restore(context);
        SQLException failure = context.sqlException();
        if (failure != null && seconds != null && CANCELED.equals(failure.getSQLState())) {
            var told = new SQLTimeoutException(
                    failure.getMessage() + " (the relay waits for no statement longer than " + seconds + " s)",
                    CANCELED);
            told.addSuppressed(failure);
            context.sqlException(told);
        }
    }

    // Some pools keep statements and hand them out again.
    private static @Nullable Object restore(ExecuteContext context) {
        @Nullable Object seconds = context.data().remove(LIMITED);
        try {
            PreparedStatement statement = context.statement();
            if (seconds != null && statement != null) {
                statement.setQueryTimeout(0);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A statement keeps its limit; it is broken, or its pool is an older one", e);
        }
        return seconds;
    }
}
