package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class AbortedConnectionTest {
    @Test
    void a_connection_that_was_aborted_is_not_given_to_the_next_one_who_asks(TestDatabase database) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(1);
        try (var pool = new HikariDataSource(config)) {
            var dsl = DSL.using(pool, SQLDialect.POSTGRES);
            int before = backend(dsl);
            var connection = Objects.requireNonNull(
                    dsl.configuration().connectionProvider().acquire());

            AbortedConnection.release(connection, dsl);

            assertThat(backend(dsl)).isNotEqualTo(before);
        }
    }

    @Test
    void an_error_while_a_loop_connects_leaks_no_connection(TestDatabase database) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(1);
        try (var pool = new HikariDataSource(config)) {
            var dsl = DSL.using(pool, SQLDialect.POSTGRES);
            var failing = WatchedConnections.of(dsl, new WatchedConnections.Watch() {
                @Override
                public void before(String sql) {
                    throw new OutOfMemoryError("planted");
                }
            });

            assertThatThrownBy(() -> OutboxFixture.connections(failing).open()).isInstanceOf(OutOfMemoryError.class);

            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    private static int backend(DSLContext dsl) {
        return dsl.fetchSingle("select pg_backend_pid()").get(0, Integer.class);
    }
}
