package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server says nothing any more, as a frozen machine does, and answers no request to cancel either. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SilentServerTest {
    private static final Duration ANSWER = Duration.ofSeconds(2);

    @Test
    void the_applications_own_limits_on_a_sound_server_are_kept(TestDatabase database) throws Exception {
        try (var proxy = SilentProxy.to(database.server().jdbcUrl());
                HikariDataSource pool = PostgresServer.pool(proxy.url(), 1);
                Connection application =
                        DriverManager.getConnection(database.server().jdbcUrl());
                Statement statement = application.createStatement()) {
            DSLContext dsl = RelayConnections.using(pool, ANSWER);
            dsl.fetch("select 1");
            proxy.silence();
            CompletableFuture<?> relay = CompletableFuture.runAsync(() -> dsl.fetch("select 1"));

            // The driver gives a silent server 10 s to take a request to cancel.
            statement.setQueryTimeout(3);
            CompletableFuture<?> limited = CompletableFuture.supplyAsync(() -> sleepLong(statement));
            assertThat(limited)
                    .failsWithin(Duration.ofSeconds(8))
                    .withThrowableThat()
                    .withMessageContaining("canceling statement");
            assertThat(relay).failsWithin(Duration.ofSeconds(30));
        }
    }

    private static boolean sleepLong(Statement statement) {
        try {
            return statement.execute("select pg_sleep(30)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
