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
 * Connections in auto-commit mode from a data source that may hand them out in the other one, as pools beside Hibernate often
 * do. Without auto-commit a single statement would be rolled back when its connection goes back, and nobody would be told.
 *
 * <p>A connection goes back in the mode in which it came. One that comes inside an open transaction is refused by an
 * {@link IllegalStateException}, and stays as it is: it is the {@linkplain CallersTransaction caller's}. Thread-safe.
 */
public final class AutoCommitConnections implements ConnectionProvider {
    private final DataSource dataSource;
    private final Set<Connection> changed =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** Connections of a data source, which stays the caller's. */
    public AutoCommitConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * A context of jOOQ on a data source whose statements commit unless they run inside {@code transaction}, where they stand
     * still for no longer than {@link IdleLimit#DEFAULT}. They throw an {@link IllegalStateException} if the data source gives
     * a connection inside an open transaction.
     */
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

    // In the wrong mode it would make somebody else's transaction commit statement by statement.
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
