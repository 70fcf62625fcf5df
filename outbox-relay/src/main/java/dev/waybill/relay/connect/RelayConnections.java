package dev.waybill.relay.connect;

import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.DriverConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The relay's connections: in auto-commit, with a network timeout whose expiry also cancels the server's statement.
 * Thread-safe.
 */
public final class RelayConnections implements ConnectionProvider {
    private final AutoCommitConnections connections;
    private final int answerMillis;
    private final AbandonedStatements abandoned = new AbandonedStatements();
    private final Semaphore permits;
    private final Map<Connection, Taken> taken = Collections.synchronizedMap(new IdentityHashMap<>());

    private RelayConnections(DataSource dataSource, Duration longestAnswer, int most) {
        this.connections = new AutoCommitConnections(dataSource);
        this.permits = new Semaphore(most);
        this.answerMillis = Math.toIntExact(longestAnswer.toMillis());
    }

    /** Any number of connections at a time, with {@code longestAnswer} as network timeout. */
    public static DSLContext using(DataSource dataSource, Duration longestAnswer) {
        return DSL.using(new RelayConnections(dataSource, longestAnswer, Integer.MAX_VALUE), SQLDialect.POSTGRES);
    }

    /** As {@link #using}, with one connection at a time: other threads wait until it is released. */
    public static DSLContext one(DataSource dataSource, Duration longestAnswer) {
        return DSL.using(new RelayConnections(dataSource, longestAnswer, 1), SQLDialect.POSTGRES);
    }

    @Override
    public Connection acquire() {
        permits.acquireUninterruptibly();
        try {
            return limited(connections.acquire());
        } catch (RuntimeException | Error e) {
            permits.release();
            throw e;
        }
    }

    private Connection limited(Connection connection) {
        try {
            // A pool removes the driver's connection from a broken wrapper, so keep it.
            @Nullable Connection driver = DriverConnection.behind(connection);
            taken.put(connection, new Taken(driver, limit(connection)));
            return connection;
        } catch (SQLException e) {
            giveBack(connection);
            throw new DataAccessException("A connection does not support a network timeout: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            giveBack(connection);
            throw e;
        }
    }

    @Override
    public void release(Connection connection) {
        try {
            giveBack(connection);
        } finally {
            permits.release();
        }
    }

    private void giveBack(Connection connection) {
        @Nullable Taken state = taken.remove(connection);
        try {
            if (state != null && state.limited() && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
        } catch (SQLException e) {
            throw new DataAccessException("A connection could not be reset: " + e.getMessage(), e);
        } finally {
            if (state != null && state.driver() != null) {
                abandoned.cancelIfClosed(state.driver());
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

    /** The driver's connection, if reachable, and whether the relay has set the network timeout. */
    private record Taken(@Nullable Connection driver, boolean limited) {}
}
