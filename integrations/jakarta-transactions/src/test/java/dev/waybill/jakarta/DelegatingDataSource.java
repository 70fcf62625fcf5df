package dev.waybill.jakarta;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Lets Agroal, which makes its data sources from class names, take connections from a test's pool. */
public final class DelegatingDataSource implements DataSource {
    private static final Map<String, DataSource> POOLS = new ConcurrentHashMap<>();

    private String description = "";

    static void register(String name, DataSource pool) {
        POOLS.put(name, pool);
    }

    // A property that Agroal passes on as it is, which the pool's name need not know.
    public void setDescription(String description) {
        this.description = description;
    }

    private DataSource pool() {
        return Objects.requireNonNull(POOLS.get(description), description);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return pool().getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return pool().getConnection(user, password);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return pool().getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        pool().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        // Pools have limits of their own.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return pool().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return pool().isWrapperFor(type);
    }
}
