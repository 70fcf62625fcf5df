package dev.waybill.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Switches connections to auto-commit while they are in use: otherwise the pool rolls single statements back without an error.
 * {@link #acquire} rejects a connection in an open {@linkplain CallersTransaction transaction}. Thread-safe.
 */
public final class AutoCommitConnections implements ConnectionProvider {
    private final DataSource dataSource;
    private final Set<Connection> changed =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    public AutoCommitConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** A jOOQ context whose statements commit, unless they run inside {@code transaction}. */
    public static DSLContext using(DataSource dataSource) {
        return IdleLimit.of(IdleLimit.DEFAULT, DSL.using(new AutoCommitConnections(dataSource), SQLDialect.POSTGRES));
    }

    @Override
    public Connection acquire() {
        try {
            @Nullable Connection connection = dataSource.getConnection();
            if (connection == null) {
                throw new DataAccessException("The data source gave no connection: getConnection() returned null");
            }
            try {
                CallersTransaction.refuse(connection);
                turnOn(connection);
                return connection;
            } catch (SQLException | RuntimeException | Error e) {
                changed.remove(connection);
                closeBecause(e, connection);
                throw e;
            }
        } catch (SQLException e) {
            throw new DataAccessException("The data source gave no connection", e);
        }
    }

    @Override
    public void release(Connection connection) {
        try (connection) {
            if (changed.remove(connection)) {
                restore(connection);
            }
        } catch (SQLException e) {
            throw new DataAccessException("A connection could not be given back to its data source", e);
        }
    }

    private void turnOn(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            changed.add(connection);
            connection.setAutoCommit(true);
        }
    }

    // In auto-commit mode, the next user of this connection would commit statement by statement.
    private static void restore(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException | RuntimeException e) {
            DriverConnection.abort(connection);
        }
    }

    private static void closeBecause(Throwable cause, Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
