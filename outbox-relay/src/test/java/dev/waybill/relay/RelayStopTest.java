package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Relays that are stopped while they get no connection, from pools that would wait for ten minutes. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayStopTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_relay_stops_though_the_pool_has_no_connection_left() throws Exception {
        try (var pool = pool(database.server().jdbcUrl(), 4)) {
            Relay relay = started(pool);
            outbox.append("s", "m1");
            await().until(() -> broker.arrived().contains("m1"));
            try (var one = pool.getConnection();
                    var two = pool.getConnection()) {
                await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0);

                relay.close();

                assertThat(one.isClosed() || two.isClosed()).isFalse();
            }
        }
    }

    /** A firewall has forgotten all flows: nothing is refused, and nothing answered. */
    @Test
    void a_relay_stops_though_its_connections_hear_nothing_any_more() {
        URI url = URI.create(database.server().jdbcUrl().substring("jdbc:".length()));
        try (TcpProxy proxy = TcpProxy.to(url.getPort())) {
            String detour = database.server()
                    .jdbcUrl()
                    .replace(url.getHost() + ":" + url.getPort(), "127.0.0.1:" + proxy.port());
            var pool = pool(detour, 8);
            Relay relay = started(pool);
            outbox.append("s", "m1");
            await().until(() -> broker.arrived().contains("m1"));

            proxy.silence();
            relay.close();

            proxy.cut();
        }
    }

    private Relay started(HikariDataSource pool) {
        return Relay.builder(pool)
                .schema(outbox.schema)
                .publisher(broker)
                .destination(OutboxFixture.DESTINATION)
                .leaseDuration(Duration.ofSeconds(3))
                .build()
                .start();
    }

    private static HikariDataSource pool(String url, int size) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(Duration.ofMinutes(10).toMillis());
        return new HikariDataSource(config);
    }
}
