package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.ConnectionProvider;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pools with fewer connections than a relay needs. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FewConnectionsTest {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final TestClock clock = new TestClock();
    private TestDatabase database;
    private HikariDataSource pool;

    @BeforeEach
    void create_a_pool_of_four(TestDatabase database) {
        this.database = database;
        pool = PostgresServer.pool(database.server().jdbcUrl(), 4);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void a_destination_more_than_there_are_connections_does_not_silence_the_others() {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        List<String> destinations = List.of("one", "two", "three");
        Relay.Builder builder = Relay.builder(pool).schema(outbox.schema).publisher(broker);
        destinations.forEach(builder::destination);

        try (Relay relay = builder.build()) {
            relay.start();
            destinations.forEach(
                    destination -> outbox.dsl.transaction(tx -> outbox.outbox.append(tx.dsl(), message(destination))));

            // Of four connections one is to be woken, and one for signs of life.
            await().atMost(Duration.ofSeconds(30)).until(() -> broker.arrived().size() == 2);
            await().untilAsserted(
                            () -> assertThat(details(outbox)).anyMatch(why -> why.contains("too few connections")));
        }
    }

    @Test
    void loops_leave_one_connection_and_get_more_once_the_pool_has_more() throws Exception {
        var connections = new LoopConnections(DSL.using(pool, SQLDialect.POSTGRES), 4, 1, clock);
        connections.count(PATIENCE);
        try (var first = connections.open();
                var second = connections.open()) {
            assertThatThrownBy(connections::open).hasMessageContaining("too few connections");

            pool.getHikariConfigMXBean().setMaximumPoolSize(8);
            assertThatThrownBy(connections::open).hasMessageContaining("too few connections");
            clock.advanceMillis(10_000);
            connections.open().close();
            connections.open().close();
            assertThat(first.token()).isNotEqualTo(second.token());
        }
    }

    @Test
    void a_connection_that_is_given_back_or_thrown_away_makes_room_for_another_loop() throws Exception {
        var connections = new LoopConnections(DSL.using(pool, SQLDialect.POSTGRES), 4, 1, clock);
        connections.count(PATIENCE);
        try (var first = connections.open()) {
            for (int i = 0; i < 3; i++) {
                connections.open().close();
                connections.open().abandon();
            }
            assertThat(first.token()).isNotEmpty();
        }
    }

    @Test
    void the_connection_of_a_listener_that_has_lost_its_own_is_given_to_no_loop() throws Exception {
        var connections = new LoopConnections(DSL.using(pool, SQLDialect.POSTGRES), 3, 1, clock);
        connections.count(PATIENCE);
        connections.listening(true);
        connections.listening(false);
        try (var first = connections.open();
                var second = connections.open()) {
            clock.advanceMillis(10_000);

            assertThatThrownBy(connections::open).hasMessageContaining("too few connections");
            assertThat(first.token()).isNotEqualTo(second.token());
        }
    }

    @Test
    void connections_that_others_give_back_while_they_are_counted_are_not_counted_twice() throws Exception {
        var kept = new ArrayList<LoopConnection>();
        var counted = new AtomicBoolean(true);
        ConnectionProvider failover = new DataSourceConnectionProvider(pool) {
            @Override
            public Connection acquire() {
                if (!counted.getAndSet(true)) {
                    kept.forEach(LoopConnection::abandon);
                    kept.clear();
                }
                return super.acquire();
            }
        };
        var connections = new LoopConnections(DSL.using(failover, SQLDialect.POSTGRES), 5, 0, clock);
        connections.count(PATIENCE);
        for (int i = 0; i < 3; i++) {
            kept.add(connections.open());
        }
        clock.advanceMillis(10_000);
        counted.set(false);

        for (int i = 0; i < 3; i++) {
            kept.add(connections.open());
        }

        assertThatThrownBy(connections::open).hasMessageContaining("too few connections");
        kept.forEach(LoopConnection::close);
    }

    private static List<String> details(OutboxFixture outbox) {
        return outbox.dsl
                .fetch("select unnest(details) from " + outbox.schema.table("relay_liveness") + " where alive")
                .getValues(0, String.class);
    }

    private static OutboxMessage message(String destination) {
        return OutboxMessage.to(destination).id(destination).text(destination).build();
    }
}
