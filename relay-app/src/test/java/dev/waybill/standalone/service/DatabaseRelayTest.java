package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.Arrival;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.QueueDepth;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.metrics.Figures;
import dev.waybill.standalone.metrics.Sends;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(60)
class DatabaseRelayTest {
    @Test
    void a_collector_that_cannot_start_at_first_starts_later_beside_a_relay_that_has_started(TestDatabase database) {
        var schema = new SchemaName(database.schema());
        database.createTables(Migrations.sql(schema, 0));
        HikariDataSource pool = database.server().newPool(6);
        var registry = new SimpleMeterRegistry();
        var settings = new DatabaseSettings(
                "main",
                new DatabaseSettings.Connection(database.server().jdbcUrl(), Optional.empty(), Optional.empty(), 6),
                schema,
                "main",
                List.of("orders"),
                List.of("orders"));
        var publisher = new Taker();
        Relay relay = Relay.builder(pool)
                .schema(schema)
                .destination("orders")
                .publisher(publisher)
                .build();
        var started = new DatabaseRelay(
                settings,
                pool,
                new DatabaseRelay.Work(relay, List.of(new FailingOnce())),
                new Sends(publisher, registry, "main"),
                Figures.of(registry, settings, pool, "one", Duration.ofSeconds(15)));

        assertThat(started.start()).isPositive();
        assertThat(started.startup().ok()).isFalse();
        assertThat(started.start()).isZero();

        assertThat(started.startup().ok()).isTrue();
        started.handOver();
    }

    /** Nothing but an Error is met at the first start. */
    private static final class FailingOnce implements DeadLetterQueue {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public DeadLetterEntity entity() {
            if (asked.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("once");
            }
            return DeadLetterEntity.queue("orders");
        }

        @Override
        public List<Arrival> receive(int most, Duration atMost) throws InterruptedException {
            Thread.sleep(atMost.toMillis());
            return List.of();
        }

        @Override
        public CompletionStage<@Nullable Void> complete(Arrival arrival) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public QueueDepth peek(int most) {
            throw new UnsupportedOperationException("Nobody peeks");
        }

        @Override
        public void renew() {}

        @Override
        public void close() {}
    }

    private static final class Taker implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }
}
