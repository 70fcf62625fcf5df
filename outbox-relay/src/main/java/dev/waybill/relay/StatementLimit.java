package dev.waybill.relay;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
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

    private final int seconds;

    /** @param longestAnswer after which the connection counts as lost */
    StatementLimit(Duration longestAnswer) {
        seconds = Math.max(1, Math.toIntExact(longestAnswer.minusMillis(1).toSeconds()));
    }

    @Override
    public void executeStart(ExecuteContext context) {
        PreparedStatement statement = context.statement();
        try {
            if (statement != null && statement.getQueryTimeout() == 0) {
                statement.setQueryTimeout(seconds);
                context.data(LIMITED, true);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A statement takes no limit: the pool or driver is an older one", e);
        }
    }

    @Override
    public void executeEnd(ExecuteContext context) {
        restore(context);
    }

    @Override
    public void exception(ExecuteContext context) {
        restore(context);
        SQLException failure = context.sqlException();
        if (failure != null && CANCELED.equals(failure.getSQLState())) {
            var told = new SQLTimeoutException(
                    failure.getMessage() + " (the relay waits for no statement longer than " + seconds + " s)",
                    CANCELED);
            told.addSuppressed(failure);
            context.sqlException(told);
        }
    }

    // Some pools keep statements and hand them out again.
    private static void restore(ExecuteContext context) {
        if (context.data().remove(LIMITED) == null) {
            return;
        }
        try {
            PreparedStatement statement = context.statement();
            if (statement != null) {
                statement.setQueryTimeout(0);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A statement keeps its limit; it is broken, or its pool is an older one", e);
        }
    }
}
