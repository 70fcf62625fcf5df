package dev.waybill.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

/** Data sources whose connections are not in auto-commit mode. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AutoCommitConnectionsTest {
    private TestDatabase database;
    private HikariDataSource pool;
    private DSLContext dsl;

    @BeforeEach
    void create_a_table(TestDatabase database) throws SQLException {
        this.database = database;
        database.execute("create schema " + database.schema());
        database.execute("create table " + table() + " (n int)");
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(1_000);
        config.setAutoCommit(false);
        pool = new HikariDataSource(config);
        dsl = AutoCommitConnections.using(pool);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void a_single_statement_commits() {
        dsl.execute("insert into " + table() + " values (1)");

        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void a_transaction_commits_as_a_whole_or_not_at_all() {
        dsl.transaction(tx -> {
            tx.dsl().execute("insert into " + table() + " values (1)");
            assertThat(rows()).isZero();
        });
        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    tx.dsl().execute("insert into " + table() + " values (2)");
                    throw new IllegalStateException("planted");
                }))
                .hasMessage("planted");

        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void a_connection_goes_back_in_the_mode_in_which_it_came() throws SQLException {
        try (Connection connection = plain().getConnection()) {
            for (boolean autoCommit : new boolean[] {true, false}) {
                connection.setAutoCommit(autoCommit);
                var connections = new AutoCommitConnections(alwaysTheSame(connection));

                Connection acquired = connections.acquire();

                assertThat(connection.getAutoCommit()).isTrue();
                connections.release(acquired);
                assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
            }
        }
    }

    @Test
    void a_transaction_that_the_caller_has_open_is_refused_and_left_as_it_is() throws SQLException {
        try (Connection connection = plain().getConnection()) {
            connection.setAutoCommit(false);
            requireOpenTransactionIsRefused(alwaysTheSame(connection), connection);
        }
    }

    @Test
    void a_transaction_begun_by_a_statement_is_refused_in_auto_commit_mode_too() throws SQLException {
        try (Connection connection = plain().getConnection()) {
            connection.createStatement().execute("begin");
            connection.createStatement().execute("insert into " + table() + " values (1)");
            var inside = AutoCommitConnections.using(alwaysTheSame(connection));

            assertThatThrownBy(() -> inside.transaction(tx -> {})).isInstanceOf(IllegalStateException.class);

            connection.createStatement().execute("rollback");
            assertThat(rows()).isZero();
        }
    }

    @Test
    void a_data_source_that_gives_nothing_is_told_of_by_words() {
        AutoCommitConnections connections = new AutoCommitConnections(proxy(DataSource.class, (proxy, call, values) -> {
            assertThat(call.getName()).isEqualTo("getConnection");
            return null;
        }));

        assertThatThrownBy(connections::acquire)
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("getConnection() returned null");
    }

    @Test
    void failures_of_statements_modes_and_servers_leak_no_connection() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> dsl.execute("no sql")).isInstanceOf(DataAccessException.class);
            assertThatThrownBy(() -> dsl.execute("select pg_terminate_backend(pg_backend_pid())"))
                    .isInstanceOf(DataAccessException.class);
            var broken = AutoCommitConnections.using(failingAt("setAutoCommit"));
            assertThatThrownBy(() -> broken.execute("select 1")).isInstanceOf(DataAccessException.class);
            var unknown = AutoCommitConnections.using(failingAt("getAutoCommit"));
            assertThatThrownBy(() -> unknown.execute("select 1")).isInstanceOf(DataAccessException.class);
        }

        dsl.execute("insert into " + table() + " values (1)");

        assertThat(rows()).isEqualTo(1);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void a_connection_whose_mode_cannot_be_restored_is_not_used_again() throws SQLException {
        try (Connection connection = plain().getConnection()) {
            connection.setAutoCommit(false);
            var connections = new AutoCommitConnections(alwaysTheSame(connection));
            Connection acquired = connections.acquire();
            database.execute("select pg_terminate_backend("
                    + connection.unwrap(org.postgresql.PGConnection.class).getBackendPID() + ")");
            assertThatThrownBy(() -> acquired.createStatement().execute("select 1"))
                    .isInstanceOf(SQLException.class);

            connections.release(acquired);

            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void a_transaction_that_the_caller_has_open_is_refused_although_the_driver_is_hidden() throws SQLException {
        try (Connection connection = plain().getConnection()) {
            connection.setAutoCommit(false);
            requireOpenTransactionIsRefused(hidden(connection), connection);
        }
    }

    /** It would be rolled back: the lock that the caller relies on, or what it has to tell others, would be gone. */
    @Test
    void a_transaction_that_has_only_locked_is_refused_and_keeps_its_lock_although_the_driver_is_hidden()
            throws SQLException {
        try (Connection connection = plain().getConnection()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("select pg_advisory_xact_lock(35)");
            DSLContext inside = AutoCommitConnections.using(hidden(connection));

            assertThatThrownBy(() -> inside.execute("insert into " + table() + " values (1)"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside an open transaction");

            try (var held = connection
                    .createStatement()
                    .executeQuery(
                            "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()")) {
                held.next();
                assertThat(held.getInt(1)).isEqualTo(1);
            }
            assertThat(rows()).isZero();
        }
    }

    private static DataSource hidden(Connection connection) {
        return dataSource(
                (method, go) -> switch (method) {
                    case "close" -> null;
                    case "isWrapperFor" -> false;
                    default -> go.proceed();
                },
                () -> connection);
    }

    private void requireOpenTransactionIsRefused(DataSource bound, Connection connection) throws SQLException {
        DSLContext inside = AutoCommitConnections.using(bound);
        inside.execute("insert into " + table() + " values (0)");
        assertThat(rows()).isEqualTo(1);
        connection.createStatement().execute("insert into " + table() + " values (1)");

        assertThatThrownBy(() -> inside.execute("insert into " + table() + " values (2)"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside an open transaction");
        assertThatThrownBy(() -> inside.transaction(tx -> tx.dsl().execute("insert into " + table() + " values (3)")))
                .isInstanceOf(IllegalStateException.class);

        assertThat(rows()).isEqualTo(1);
        assertThat(connection.getAutoCommit()).isFalse();
        connection.createStatement().execute("insert into " + table() + " values (4)");
        connection.rollback();
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void a_connection_is_not_used_again_whatever_its_pool_throws_at_the_change_of_its_mode() throws SQLException {
        try (Connection connection = plain().getConnection()) {
            connection.setAutoCommit(false);
            boolean[] refuses = {false};
            var connections = new AutoCommitConnections(dataSource(
                    (method, go) -> {
                        if (method.equals("setAutoCommit") && refuses[0]) {
                            throw new IllegalStateException("planted");
                        }
                        return go.proceed();
                    },
                    () -> connection));
            Connection acquired = connections.acquire();
            refuses[0] = true;

            connections.release(acquired);

            assertThatThrownBy(() -> connection.createStatement().execute("select 1"))
                    .isInstanceOf(SQLException.class);
            assertThat(connection.isClosed()).isTrue();
        }
    }

    private int rows() {
        try (Connection connection = plain().getConnection();
                var rows = connection.createStatement().executeQuery("select count(*) from " + table())) {
            rows.next();
            return rows.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private String table() {
        return database.schema() + ".t";
    }

    private PGSimpleDataSource plain() {
        var plain = new PGSimpleDataSource();
        plain.setUrl(database.server().jdbcUrl());
        return plain;
    }

    /** As a transaction manager binds one connection to a thread; closing it does nothing. */
    private static DataSource alwaysTheSame(Connection connection) {
        return dataSource((method, go) -> method.equals("close") ? null : go.proceed(), () -> connection);
    }

    private DataSource failingAt(String failing) {
        return dataSource(
                (method, go) -> {
                    if (method.equals(failing)) {
                        throw new SQLException("planted");
                    }
                    return go.proceed();
                },
                pool::getConnection);
    }

    private static DataSource dataSource(Around around, Source source) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            assertThat(method.getName()).isEqualTo("getConnection");
            Connection connection = source.get();
            return proxy(
                    Connection.class,
                    (self, call, values) -> around.call(call.getName(), () -> {
                        try {
                            return call.invoke(connection, values);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        });
    }

    private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @FunctionalInterface
    private interface Source {
        Connection get() throws SQLException;
    }

    @FunctionalInterface
    private interface Around {
        @org.jspecify.annotations.Nullable Object call(String method, Go go) throws Throwable;
    }

    @FunctionalInterface
    private interface Go {
        Object proceed() throws Throwable;
    }
}
