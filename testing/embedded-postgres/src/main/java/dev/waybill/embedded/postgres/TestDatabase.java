package dev.waybill.embedded.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One test's place in the database: a schema name that nothing else uses, and a pool to reach it. Thread-safe. */
public final class TestDatabase {
    private final PostgresServer server;
    private final HikariDataSource dataSource;
    private final KeptSchemas kept;
    private final Supplier<String> names;
    private final Set<String> created = ConcurrentHashMap.newKeySet();
    private final Queue<AutoCloseable> resources = new ConcurrentLinkedQueue<>();
    private @Nullable String schema;
    private @Nullable MadeSchema made;
    private String madeBy = "";

    TestDatabase(PostgresServer server, HikariDataSource dataSource, KeptSchemas kept, Supplier<String> names) {
        this.server = server;
        this.dataSource = dataSource;
        this.kept = kept;
        this.names = names;
    }

    /** Name of the test's schema. It does not exist until the test makes it, which need not drop it. */
    public synchronized String schema() {
        if (schema == null) {
            schema = names.get();
        }
        return schema;
    }

    /**
     * The name of a schema with tables, and nothing in them but what the statements write. It may be that of an earlier
     * test with the same statements, emptied, which is quicker; tests that change the structure need not care, for such a
     * schema is not used again. Call this before {@link #schema()}: a name that was given stays.
     *
     * @param statements the statements that make the schema of the given name and its tables
     * @throws IllegalStateException if the server refuses them
     */
    public synchronized String schemaWith(UnaryOperator<String> statements) {
        if (schema != null) {
            createTables(statements.apply(schema));
            return schema;
        }
        madeBy = statements.apply("some_schema");
        try {
            made = kept.take(madeBy).orElseGet(() -> make(names.get(), statements));
        } catch (SQLException e) {
            throw new IllegalStateException("The schema of an earlier test cannot be dropped", e);
        }
        schema = made.name();
        created.add(statements.apply(schema));
        return schema;
    }

    private MadeSchema make(String name, UnaryOperator<String> statements) {
        createTables(statements.apply(name));
        try (var connection = dataSource.getConnection()) {
            return MadeSchema.asItIs(connection, name);
        } catch (SQLException e) {
            throw new IllegalStateException("The test's tables cannot be read", e);
        }
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

    /** Ends the test: closes its resources, and drops or keeps its schema. */
    synchronized void end() throws Exception {
        created.clear();
        for (AutoCloseable resource : resources) {
            resource.close();
        }
        execute("drop schema if exists " + schema() + "_app cascade");
        if (made == null) {
            execute("drop schema if exists " + schema() + " cascade");
        } else {
            kept.keep(madeBy, made);
        }
        schema = null;
        made = null;
    }
}
