package dev.waybill.embedded.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** One test's place in the database: a schema name that nothing else uses, and a pool to reach it. Thread-safe. */
public final class TestDatabase {
    private final PostgresServer server;
    private final HikariDataSource dataSource;
    private final String schema;
    private final Set<String> created = ConcurrentHashMap.newKeySet();
    private final Queue<AutoCloseable> resources = new ConcurrentLinkedQueue<>();

    TestDatabase(PostgresServer server, HikariDataSource dataSource, String schema) {
        this.server = server;
        this.dataSource = dataSource;
        this.schema = schema;
    }

    /** Name of a schema that does not exist yet; whoever creates it need not drop it. */
    public String schema() {
        return schema;
    }

    /** The pool that all tests of this JVM share. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** The server, for tests that need pools, sessions or processes of their own. */
    public PostgresServer server() {
        return server;
    }

    /** Closes something when the test is over, before the schema is dropped. */
    public void closeAfterwards(AutoCloseable resource) {
        resources.add(resource);
    }

    /** Runs one statement outside any transaction of the test. */
    public void execute(String sql) throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Runs the statements that make tables, in one transaction: quicker than a migration tool, and the tables are the
     * same. Settings that they leave on their connection are reset. The same statements run only once.
     *
     * @throws IllegalStateException if the server refuses them
     */
    public void createTables(String statements) {
        if (!created.add(statements)) {
            return;
        }
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(statements);
            statement.execute("reset all");
        } catch (SQLException e) {
            throw new IllegalStateException("The test's tables cannot be made", e);
        }
    }

    void drop() throws Exception {
        created.clear();
        for (AutoCloseable resource : resources) {
            resource.close();
        }
        execute("drop schema if exists " + schema + " cascade");
        execute("drop schema if exists " + schema + "_app cascade");
    }
}
