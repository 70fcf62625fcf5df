package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.ConnectionProvider;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** After a failover all loops take connections anew, and one of them counts while another one still waits for its own. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CountedWhileConnectingTest {
    private final TestClock clock = new TestClock();

    @Test
    void a_connection_that_a_loop_is_about_to_take_is_not_counted_for_another_one(TestDatabase database)
            throws Exception {
        var slow = new AtomicBoolean();
        var waits = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (HikariDataSource pool = PostgresServer.pool(database.server().jdbcUrl(), 2)) {
            pool.setConnectionTimeout(2_000);
            ConnectionProvider failover = new DataSourceConnectionProvider(pool) {
                @Override
                public Connection acquire() {
                    if (slow.getAndSet(false)) {
                        waits.countDown();
                        await(goOn);
                    }
                    return super.acquire();
                }
            };
            var connections = new LoopConnections(DSL.using(failover, SQLDialect.POSTGRES), 2, 0, clock);
            connections.count(Duration.ofMillis(500));
            clock.advanceMillis(10_000);
            slow.set(true);
            CompletableFuture<LoopConnection> first = CompletableFuture.supplyAsync(connections::open);
            waits.await();
            CompletableFuture<LoopConnection> second = CompletableFuture.supplyAsync(connections::open);
            try {
                second.get(5, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                assertThat(e).hasMessageContaining("too few connections");
            }
            goOn.countDown();
            first.get(5, TimeUnit.SECONDS);

            try (Connection forSignsOfLife = pool.getConnection()) {
                assertThat(forSignsOfLife.isValid(1)).isTrue();
            }
            assertThatThrownBy(connections::open).hasMessageContaining("too few connections");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
