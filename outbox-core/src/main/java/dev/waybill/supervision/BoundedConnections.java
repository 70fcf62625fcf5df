package dev.waybill.supervision;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool whose waits for connections can be limited by {@link BoundedWaits}. Thread-safe if the pool is. */
public final class BoundedConnections implements DataSource {
    private final DataSource pool;
    private final BoundedWaits waits;

    public BoundedConnections(DataSource pool, BoundedWaits waits) {
        this.pool = pool;
        this.waits = waits;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return waits.<Connection, SQLException>during(pool::getConnection);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return waits.<Connection, SQLException>during(() -> pool.getConnection(user, password));
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) throws SQLException {
        pool.setLogWriter(writer);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return pool.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : pool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || pool.isWrapperFor(type);
    }
}
