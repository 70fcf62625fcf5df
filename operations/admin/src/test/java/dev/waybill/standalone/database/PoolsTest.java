package dev.waybill.standalone.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.SilentProxy;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DatabaseSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A server, or the way to it, that falls silent without closing anything. Side by side, because all of it is waiting. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class PoolsTest {
    private TestDatabase database;

    @BeforeEach
    void choose(TestDatabase database) {
        this.database = database;
    }

    @Test
    @Tag("long")
    void a_server_that_accepts_and_says_nothing_ends_in_an_error_that_says_so() throws Exception {
        try (var proxy = SilentProxy.to(database.server().jdbcUrl());
                var pool = relayPool(proxy.url() + "&sslmode=disable")) {
            proxy.silence();

            // Of the connection or of its first read, whichever limit comes first.
            assertThatThrownBy(pool::getConnection).rootCause().hasMessageContaining("timed out");
        }
    }

    @Test
    @Tag("long")
    void a_server_that_says_nothing_ends_a_command_with_an_error_that_says_so() throws Exception {
        try (var proxy = SilentProxy.to(database.server().jdbcUrl());
                var pool = commandPool(proxy.url())) {
            proxy.silence();

            assertThatThrownBy(pool::getConnection).rootCause().hasMessageContaining("timed out");
        }
    }

    @Test
    void a_flow_that_goes_silent_ends_the_statement_of_a_relay() throws Exception {
        try (var proxy = SilentProxy.to(database.server().jdbcUrl());
                var pool = relayPool(proxy.url() + "&socketTimeout=2");
                var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("select 1");

            proxy.silenceOpenFlows();

            assertThatThrownBy(() -> statement.execute("select 1")).isInstanceOf(SQLException.class);
            try (var another = pool.getConnection()) {
                assertThat(another.isValid(5)).isTrue();
            }
        }
    }

    @Test
    @Tag("long")
    void a_silent_host_does_not_keep_a_pool_from_the_next_one() throws Exception {
        try (var proxy = SilentProxy.to(database.server().jdbcUrl())) {
            proxy.silence();
            try (var pool = relayPool(beside(proxy.address(), "&socketTimeout=2"));
                    var connection = pool.getConnection()) {
                assertThat(connection.isValid(5)).isTrue();
            }
        }
    }

    @Test
    void statements_of_a_relay_have_a_limit_and_those_of_a_command_may_take_long() throws Exception {
        assertThat(readLimit(relayPool(database.server().jdbcUrl()))).isEqualTo(10_000);
        assertThat(readLimit(commandPool(database.server().jdbcUrl()))).isZero();
    }

    @Test
    void what_the_url_says_wins_also_with_several_hosts() throws Exception {
        String url = database.server().jdbcUrl();

        assertThat(readLimit(relayPool(url + "&socketTimeout=3"))).isEqualTo(3_000);
        assertThat(readLimit(relayPool(url + "&socketTimeout=0"))).isZero();
        assertThat(readLimit(commandPool(url + "&socketTimeout=4"))).isEqualTo(4_000);
        assertThat(readLimit(relayPool(beside("127.0.0.1:1", "&socketTimeout=3&targetServerType=primary"))))
                .isEqualTo(3_000);
    }

    @Test
    @Tag("long")
    void a_login_limit_in_the_url_wins() throws Exception {
        try (var proxy = SilentProxy.to(database.server().jdbcUrl())) {
            proxy.silence();
            try (var pool = relayPool(proxy.url() + "&sslmode=disable&socketTimeout=1&loginTimeout=0")) {
                assertThatThrownBy(pool::getConnection).hasRootCauseMessage("Read timed out");
            }
        }
    }

    @Test
    void an_error_of_a_pool_shows_no_row_unless_the_url_asks_for_it() throws Exception {
        String url = database.server().jdbcUrl();
        assertThat(broken(commandPool(url)))
                .hasMessageContaining("\"body_is_odd\"")
                .hasMessageNotContaining("of a body");
        assertThat(broken(relayPool(url))).hasMessageNotContaining("of a body");
        assertThat(broken(commandPool(url + "&logServerErrorDetail=true"))).hasMessageContaining("of a body");
    }

    private static Throwable broken(HikariDataSource pool) throws SQLException {
        try (pool;
                Connection connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create temporary table odd (body text constraint body_is_odd check (body = 'odd'))");
            return catchThrowable(() -> statement.execute("insert into odd values ('beginning of a body')"));
        }
    }

    private static int readLimit(HikariDataSource pool) throws SQLException {
        try (pool;
                Connection connection = pool.getConnection()) {
            return connection.getNetworkTimeout();
        }
    }

    private String beside(String firstHost, String parameters) {
        return database.server().jdbcUrl().replaceFirst("//", "//" + firstHost + ",") + parameters;
    }

    private static HikariDataSource relayPool(String url) {
        return Pools.forRelay(settings(url), "test");
    }

    private static HikariDataSource commandPool(String url) {
        return Pools.forCommand(settings(url));
    }

    private static DatabaseSettings settings(String url) {
        var connection = new DatabaseSettings.Connection(url, DatabaseSettings.SignIn.BY_URL, 4);
        return new DatabaseSettings("main", connection, SchemaName.DEFAULT, "ns", List.of(), List.of());
    }
}
