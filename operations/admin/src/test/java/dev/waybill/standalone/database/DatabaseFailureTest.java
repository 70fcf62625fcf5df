package dev.waybill.standalone.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DatabaseSettings;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The reason stands at the bottom, beneath a pool and jOOQ. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class DatabaseFailureTest {
    private TestDatabase database;

    @BeforeEach
    void take(TestDatabase database) {
        this.database = database;
    }

    @Test
    void a_port_where_nobody_listens_is_named() {
        assertThat(told("jdbc:postgresql://127.0.0.1:1/none"))
                .startsWith("The database 'main' at 127.0.0.1:1 cannot be reached: ")
                .contains("refused")
                .doesNotContain("Connection is not available");
    }

    @Test
    void a_host_that_does_not_exist_is_named() {
        assertThat(told("jdbc:postgresql://no-such-host.invalid:5432/none"))
                .contains("at no-such-host.invalid:5432")
                .contains("unknown host no-such-host.invalid");
    }

    @Test
    void several_hosts_are_named_each() {
        assertThat(told("jdbc:postgresql://127.0.0.1:1,127.0.0.1:2/none?loginTimeout=5"))
                .contains("at 127.0.0.1:1, 127.0.0.1:2 ");
    }

    @Test
    void a_database_that_does_not_exist_is_named() {
        assertThat(told(url().replaceFirst("/[a-z]+\\?", "/nowhere?"))).contains("database \"nowhere\" does not exist");
    }

    @Test
    void a_user_that_is_refused_is_named() {
        assertThat(told(url().replaceFirst("user=[a-z]+", "user=stranger"))).contains("\"stranger\"");
    }

    @Test
    void too_many_connections_are_told() throws Exception {
        String role = database.schema() + "_many";
        database.execute("create role " + role + " login connection limit 0");
        try {
            assertThat(told(url().replaceFirst("user=[a-z]+", "user=" + role)))
                    .contains("too many connections for role");
        } finally {
            database.execute("drop role " + role);
        }
    }

    @Test
    void a_server_that_is_not_the_primary_is_told() {
        assertThat(told(url() + "&targetServerType=secondary")).contains("targetServerType");
    }

    @Test
    void a_server_without_tls_is_told() {
        assertThat(told(url() + "&sslmode=require")).contains("SSL");
    }

    @Test
    void a_statement_that_fails_is_no_matter_of_connections() {
        Throwable failure = catchThrowable(
                () -> DSL.using(database.dataSource(), SQLDialect.POSTGRES).fetch("select * from nowhere"));

        assertThat(DatabaseFailure.isConnection(failure)).isFalse();
        assertThat(DatabaseFailure.text(settings(url()), failure))
                .contains("relation \"nowhere\" does not exist")
                .doesNotContain("cannot be reached")
                .doesNotContain("\n");
    }

    @Test
    void causes_in_a_circle_and_without_a_message_have_an_end() {
        var inner = new IllegalStateException((String) null);
        var outer = new RuntimeException("outer", inner);
        inner.initCause(outer);

        assertThat(DatabaseFailure.why(outer)).contains("outer");
    }

    private String url() {
        return database.server().jdbcUrl();
    }

    private static String told(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setConnectionTimeout(1_000);
        config.setInitializationFailTimeout(-1);
        config.setMinimumIdle(0);
        try (var pool = new HikariDataSource(config)) {
            Throwable failure =
                    catchThrowable(() -> DSL.using(pool, SQLDialect.POSTGRES).fetch("select 1"));
            assertThat(DatabaseFailure.isConnection(failure)).as("%s", failure).isTrue();
            return DatabaseFailure.text(settings(url), failure);
        }
    }

    private static DatabaseSettings settings(String url) {
        return new DatabaseSettings(
                "main",
                new DatabaseSettings.Connection(url, DatabaseSettings.SignIn.BY_URL, 2),
                SchemaName.DEFAULT,
                "main",
                List.of(),
                List.of());
    }
}
