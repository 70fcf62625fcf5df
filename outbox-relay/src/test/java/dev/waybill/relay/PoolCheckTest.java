package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConnectionProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Pools with which a relay would start and publish nothing. */
@ExtendWith(PostgresExtension.class)
class PoolCheckTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Logger logger = (Logger) LoggerFactory.getLogger(PoolCheck.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private HikariDataSource pool;

    @BeforeEach
    void create_a_pool_of_two(TestDatabase database) {
        pool = PostgresServer.pool(database.server().jdbcUrl(), 2);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        pool.close();
    }

    @Test
    void a_pool_that_is_large_enough_gets_all_connections_back_and_nothing_is_said() throws Exception {
        PoolCheck.run(new DataSourceConnectionProvider(pool), 2, LONG);

        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        assertThat(lines.list).isEmpty();
    }

    @Test
    void a_pool_with_one_connection_too_few_is_told_with_both_numbers() throws Exception {
        PoolCheck.run(new DataSourceConnectionProvider(pool), 3, Duration.ofMillis(300));

        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .startsWith("The pool gives 2 connections, the relay needs 3");
        // The one that is still waited for gets a connection now, and nobody has a use for it any more.
        await().untilAsserted(() -> {
            assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection())
                    .isZero();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        });
    }

    @Test
    void a_data_source_that_gives_one_connection_to_everybody_is_refused() throws Exception {
        try (Connection only = pool.getConnection()) {
            assertThatThrownBy(() -> PoolCheck.run(new DefaultConnectionProvider(only), 2, LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("needs a pool");
        }
    }

    @Test
    void a_connection_that_has_broken_keeps_none_of_the_others_from_their_pool() throws Exception {
        var breaking = new DataSourceConnectionProvider(pool) {
            private boolean broken;

            @Override
            public void release(Connection connection) {
                super.release(connection);
                if (!broken) {
                    broken = true;
                    throw new DataAccessException("broken");
                }
            }
        };

        PoolCheck.run(breaking, 2, LONG);

        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
}
