package dev.waybill.relay.connect;

import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Connections of the caller's pool as the relay needs them: in auto-commit mode, and with a limit on how long an answer may
 * take unless the caller has set one. A setting that was changed is restored before a connection goes back. The server
 * ends as well whatever is given up here. Thread-safe.
 */
public final class RelayConnections implements ConnectionProvider {
    private final AutoCommitConnections connections;
    private final int answerMillis;
    private final GivenUp givenUp = new GivenUp();
    private final Map<Connection, Taken> taken = Collections.synchronizedMap(new IdentityHashMap<>());

    /** @param longestAnswer after which a connection that says nothing counts as lost */
    public RelayConnections(DataSource dataSource, Duration longestAnswer) {
        this.connections = new AutoCommitConnections(dataSource);
        this.answerMillis = Math.toIntExact(longestAnswer.toMillis());
    }

    /** A context of jOOQ on such connections. */
    public static DSLContext using(DataSource dataSource, Duration longestAnswer) {
        return DSL.using(new RelayConnections(dataSource, longestAnswer), SQLDialect.POSTGRES);
    }

    @Override
    public Connection acquire() {
        Connection connection = connections.acquire();
        try {
            // Before it breaks: a pool takes the driver's connection out of one that has.
            @Nullable Connection driver = DriverConnection.behind(connection);
            taken.put(connection, new Taken(driver, limit(connection)));
            return connection;
        } catch (SQLException e) {
            release(connection);
            throw new DataAccessException("A connection takes no limit on its answers: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            release(connection);
            throw e;
        }
    }

    @Override
    public void release(Connection connection) {
        @Nullable Taken state = taken.remove(connection);
        try {
            if (state != null && state.limited() && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
        } catch (SQLException e) {
            throw new DataAccessException("A connection could not be given back as it was: " + e.getMessage(), e);
        } finally {
            if (state != null && state.driver() != null) {
                givenUp.endIfClosed(state.driver());
            }
            connections.release(connection);
        }
    }

    private boolean limit(Connection connection) throws SQLException {
        boolean unlimited = connection.getNetworkTimeout() == 0;
        if (unlimited) {
            connection.setNetworkTimeout(Runnable::run, answerMillis);
        }
        return unlimited;
    }

    /**
     * How a connection was when it was taken.
     *
     * @param driver the driver's own, if it can be reached
     * @param limited whether its limit is the relay's
     */
    private record Taken(@Nullable Connection driver, boolean limited) {}
}
