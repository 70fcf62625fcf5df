package dev.waybill.test;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database server of this JVM. Each test gets a copy of a template that has the tables of Waybill and of the service. Thread-safe.
 *
 * <p>The server ends with the JVM, not with a store of JUnit: stores before JUnit 5.13 close other types than later ones.
 */
final class KitServer {
    private static final int MOST_CONNECTIONS = 24;

    /** How long the server outlasts contexts that close at the end of the JVM, beside it. */
    private static final Duration FOR_CONTEXTS = Duration.ofSeconds(25);

    private static @Nullable KitServer running;

    private final PostgresServer server;
    private final HikariDataSource pool;
    private final Map<SchemaName, String> bases = new HashMap<>();
    private final Map<Object, String> templates = new HashMap<>();
    private final AtomicInteger databases = new AtomicInteger();
    private final Users users = new Users();

    private KitServer(PostgresServer server) {
        this.server = server;
        pool = server.newPool(2);
        server.beforeExit(users::awaitNone);
    }

    static synchronized KitServer start() {
        if (running == null) {
            var started = new KitServer(PostgresServer.start());
            running = started;
            Runtime.getRuntime().addShutdownHook(new Thread(started::stop, "waybill-test-kit-stop"));
        }
        return running;
    }

    static synchronized @Nullable KitServer running() {
        return running;
    }

    @FunctionalInterface
    interface Preparation {
        void prepare(DataSource dataSource) throws Exception;
    }

    synchronized String template(Object owner, SchemaName schema, Preparation preparation) throws Exception {
        String known = templates.get(owner);
        if (known != null) {
            return known;
        }
        String base = bases.get(schema);
        if (base == null) {
            base = newDatabase(
                    "template1", dataSource -> Migrations.of(dataSource, schema).apply(Feature.all()));
            bases.put(schema, base);
        }
        String template = newDatabase(base, preparation);
        templates.put(owner, template);
        return template;
    }

    synchronized void forget(Object owner) throws SQLException {
        String template = templates.remove(owner);
        if (template != null) {
            drop(template);
        }
    }

    private String newDatabase(String template, Preparation preparation) throws Exception {
        String name = copy(template);
        try (HikariDataSource dataSource = connect(name)) {
            preparation.prepare(dataSource);
        } catch (Throwable e) {
            drop(name);
            throw e;
        }
        return name;
    }

    String copy(String template) throws SQLException {
        String name = "waybill_kit_" + ProcessHandle.current().pid() + "_" + databases.incrementAndGet();
        execute("create database " + name + " template " + template);
        return name;
    }

    HikariDataSource connect(String database) {
        return PostgresServer.pool(url(database), MOST_CONNECTIONS);
    }

    private String url(String database) {
        return server.jdbcUrl().replaceFirst("(//[^/]+/)[^?]*", "$1" + database);
    }

    void drop(String database) throws SQLException {
        execute("drop database if exists " + database + " with (force)");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    Users users() {
        return users;
    }

    /** Those who close when the JVM ends, and need the server until then. Thread-safe. */
    static final class Users {
        private int count;

        synchronized void enter() {
            count++;
        }

        synchronized void leave() {
            count--;
            notifyAll();
        }

        // Hooks of the JVM run side by side: Spring's closes its contexts beside the one that stops the server.
        synchronized void awaitNone() {
            long end = System.nanoTime() + FOR_CONTEXTS.toNanos();
            try {
                for (long left = FOR_CONTEXTS.toMillis(); count > 0 && left > 0; ) {
                    wait(left);
                    left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // A server that was started here is gone with its data directory; one that was given keeps what is left behind.
    private void stop() {
        users.awaitNone();
        if (server.origin().equals("given")) {
            try {
                for (String template : templates.values()) {
                    drop(template);
                }
                for (String base : bases.values()) {
                    drop(base);
                }
            } catch (SQLException e) {
                System.err.println("Templates of the test kit were left behind: " + e.getMessage());
            }
        }
        pool.close();
        server.close();
    }
}
