package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** More sessions than workers: an empty session is not kept while others wait, however far away the broker is. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WaitingSessionsTest {
    private static final int SESSIONS = 40;

    /** So long that a consumer which keeps each session for it is not done in time. */
    private static final Duration IDLE = Duration.ofSeconds(20);

    @Test
    void across_a_slow_network(TestDatabase database) {
        try (var it = new BusFixture(database, broker -> broker.queue("orders", queue -> queue.requiresSession()));
                var network = TcpProxy.to(it.bus.port())) {
            network.delay(Duration.ofMillis(30));
            for (int i = 0; i < SESSIONS; i++) {
                it.send("orders", "s" + i, "m" + i);
            }
            String url = it.bus.connectionString().replace(":" + it.bus.port(), ":" + network.port());
            it.consume(
                    ServiceBusSessions.ofQueue(() -> new ServiceBusClientBuilder().connectionString(url), "orders"),
                    it::effect,
                    settings -> settings.concurrency(2).sessionIdle(IDLE));

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(it.effects()).hasSize(SESSIONS));
        }
    }
}
