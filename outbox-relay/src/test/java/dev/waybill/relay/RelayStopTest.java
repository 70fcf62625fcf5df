package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
    @Tag("long")
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
    @Tag("long")
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

    /** Others would count it among those that share the destination for as long as the slowest send takes. */
    @Test
    void a_destination_that_is_settled_is_taken_over_while_another_one_waits_for_its_broker() throws Exception {
        var slow = new SlowPublisher();
        try (var pool = pool(database.server().jdbcUrl(), 16);
                Relay other = serving(pool, broker).build()) {
            Relay leaving = serving(pool, slow).destination("slow").build().start();
            outbox.dsl.transaction(tx -> outbox.outbox.append(
                    tx.dsl(), OutboxMessage.to("slow").id("m1").text("x").build()));
            await().until(() -> slow.asked.getCount() == 0);
            other.start();
            await().until(() -> ownersOfOrders() == 2);

            CompletableFuture<Void> closing = CompletableFuture.runAsync(leaving::close);

            await().until(() -> ownersOfOrders() == 1);
            assertThat(closing).isNotDone();
            slow.answer.complete(PublishResult.accepted(1));
            closing.get(30, TimeUnit.SECONDS);
        }
    }

    private int ownersOfOrders() {
        return outbox.dsl
                .fetchSingle(
                        "select count(distinct coalesce(owner::text, '')) from " + outbox.schema.table("outbox_lane")
                                + " where destination = '" + OutboxFixture.DESTINATION + "'")
                .get(0, Integer.class);
    }

    private Relay.Builder serving(HikariDataSource pool, Publisher publisher) {
        return Relay.builder(pool)
                .schema(outbox.schema)
                .publisher(publisher)
                .destination(OutboxFixture.DESTINATION)
                .leaseDuration(Duration.ofSeconds(30));
    }

    /** Takes one message of one destination and does not answer. */
    private static final class SlowPublisher implements Publisher {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CompletableFuture<PublishResult> answer = new CompletableFuture<>();

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            asked.countDown();
            return answer;
        }

        @Override
        public void close() {}
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
