package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Wrapper;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.core.Field;

@ExtendWith(PostgresExtension.class)
class LoopConnectionTest {
    private static final String BODY = "select 'body'::bytea";

    @Test
    void bodies_are_not_sent_as_text_for_the_first_pages(TestDatabase database) throws Exception {
        try (var pool = pool(database, "5");
                var connection = OutboxFixture.connections(DSL.using(pool, SQLDialect.POSTGRES))
                        .open()) {
            assertThat(format(connection)).isEqualTo(Field.BINARY_FORMAT);
        }
    }

    @Test
    void a_driver_that_may_prepare_nothing_on_the_server_does_not(TestDatabase database) throws Exception {
        try (var pool = pool(database, "0");
                var connection = OutboxFixture.connections(DSL.using(pool, SQLDialect.POSTGRES))
                        .open()) {
            assertThat(format(connection)).isEqualTo(Field.TEXT_FORMAT);
            assertThat(connection
                            .dsl()
                            .fetchSingle("select count(*) from pg_prepared_statements")
                            .get(0, Integer.class))
                    .isZero();
        }
    }

    @Test
    void a_session_goes_back_as_it_came(TestDatabase database) throws Exception {
        try (var pool = pool(database, "5")) {
            var dsl = DSL.using(pool, SQLDialect.POSTGRES);
            dsl.execute("set jit = on");
            dsl.execute("set plan_cache_mode = force_custom_plan");
            Record before = settings(dsl);
            try (var connection = OutboxFixture.connections(dsl).open()) {
                assertThat(settings(connection.dsl()).intoArray())
                        .containsExactly("off", "off", "force_generic_plan", "read committed", "1s");
            }
            assertThat(settings(dsl)).isEqualTo(before);
        }
    }

    @Test
    void a_read_that_has_been_given_up_does_not_go_on_in_the_server(TestDatabase database) throws Exception {
        try (var pool = pool(database, "5")) {
            var impatient = new RelayConnections(pool, Duration.ofSeconds(1));
            var connection = OutboxFixture.connections(DSL.using(impatient, SQLDialect.POSTGRES))
                    .open();
            int process =
                    connection.dsl().fetchSingle("select pg_backend_pid()").get(0, Integer.class);

            assertThatThrownBy(() -> connection.dsl().fetch("select pg_sleep(60)"))
                    .isInstanceOf(DataAccessException.class);
            connection.abandon();

            var others = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
            await().until(() -> others.fetch("select from pg_stat_activity where pid = {0}", DSL.val(process))
                    .isEmpty());
        }
    }

    private static Record settings(DSLContext dsl) {
        return dsl.fetchSingle("select current_setting('jit'), current_setting('row_security'),"
                + " current_setting('plan_cache_mode'), current_setting('default_transaction_isolation'),"
                + " current_setting('client_connection_check_interval')");
    }

    @ParameterizedTest
    @ValueSource(classes = {UnsupportedOperationException.class, AbstractMethodError.class, SQLException.class})
    void a_wrapper_that_does_not_give_its_driver_out_is_worked_with(
            Class<? extends Throwable> refusal, TestDatabase database) throws Exception {
        Throwable refused = refusal.getConstructor(String.class).newInstance("no driver here");
        try (var pool = pool(database, "5");
                var connection = OutboxFixture.connections(
                                DSL.using(refusing(DataSource.class, pool, refused), SQLDialect.POSTGRES))
                        .open()) {
            try (ResultSet rows = connection.statement(BODY).executeQuery()) {
                assertThat(rows.next()).isTrue();
            }
        }
    }

    private static <T> T refusing(Class<T> type, Object target, Throwable refusal) {
        return type.cast(Proxy.newProxyInstance(
                LoopConnectionTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (target instanceof PreparedStatement && method.getDeclaringClass() == Wrapper.class) {
                        throw refusal;
                    }
                    Object result = method.invoke(target, arguments);
                    return switch (method.getName()) {
                        case "getConnection" -> refusing(Connection.class, result, refusal);
                        case "prepareStatement" -> refusing(PreparedStatement.class, result, refusal);
                        default -> result;
                    };
                }));
    }

    private static int format(LoopConnection connection) throws SQLException {
        PreparedStatement statement = connection.statement(BODY);
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            assertThat(rows.getBytes(1)).asString().isEqualTo("body");
            return rows.getMetaData().unwrap(PGResultSetMetaData.class).getFormat(1);
        }
    }

    private static HikariDataSource pool(TestDatabase database, String threshold) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(1);
        config.addDataSourceProperty("prepareThreshold", threshold);
        return new HikariDataSource(config);
    }
}
