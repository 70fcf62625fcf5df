package dev.waybill.pooler;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Writers and a relay that reach the database by one URL: 10,000 messages in 200 sessions. */
final class PooledRun {
    private static final int WRITERS = 8;
    private static final int SESSIONS = 200;
    private static final int MESSAGES = 10_000;
    private static final int RELAY_CONNECTIONS = 4;
    private static final int PATIENCE_SECONDS = 180;

    private final SchemaName schema;
    private final Arrivals arrivals = new Arrivals();

    PooledRun(SchemaName schema) {
        this.schema = schema;
    }

    /**
     * Writes, publishes, and checks that each session has arrived in order and whole.
     *
     * @param direct past the pooler, for the tables
     */
    Duration time(String direct, String url) throws Exception {
        try (var tables = PostgresServer.pool(direct, 2);
                HikariDataSource writers = PostgresServer.pool(url, WRITERS);
                HikariDataSource relays = PostgresServer.pool(url, RELAY_CONNECTIONS)) {
            Migrations.of(tables, schema).apply();
            long begun = System.nanoTime();
            try (Relay relay = Relay.builder(relays)
                    .schema(schema)
                    .destination("orders")
                    .tuning(tuning -> tuning.listening(false))
                    .publisher(arrivals)
                    .start()) {
                write(writers, relay::wake);
                assertThat(arrivals.missing.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .as("%d messages are missing", arrivals.missing.getCount())
                        .isTrue();
            }
            Duration time = Duration.ofNanos(System.nanoTime() - begun);
            arrivals.assertInOrder();
            return time;
        }
    }

    /** The same writers alone: what the database, or the pooler before it, takes for their transactions. */
    Duration timeOfWriters(String direct, String url) throws Exception {
        try (var tables = PostgresServer.pool(direct, 2);
                HikariDataSource writers = PostgresServer.pool(url, WRITERS)) {
            Migrations.of(tables, schema).apply();
            long begun = System.nanoTime();
            write(writers, () -> {});
            return Duration.ofNanos(System.nanoTime() - begun);
        }
    }

    private void write(DataSource dataSource, Runnable committed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            var written = IntStream.range(0, WRITERS)
                    .<Future<?>>mapToObj(writer -> threads.submit(() -> {
                        for (int i = writer; i < MESSAGES; i += WRITERS) {
                            append(dataSource, i);
                            committed.run();
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> each : written) {
                each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    // A session has one writer, because their number divides that of the sessions.
    private void append(DataSource dataSource, int number) throws Exception {
        Outbox outbox = Outbox.builder().schema(schema).build();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(
                    connection,
                    OutboxMessage.to("orders")
                            .session("s" + number % SESSIONS)
                            .id("m" + number)
                            .text("order " + number)
                            .build());
            connection.commit();
        }
    }

    /** A broker that notes who came first. */
    private static final class Arrivals implements Publisher {
        private final Map<String, Set<String>> sessions = new ConcurrentHashMap<>();
        private final CountDownLatch missing = new CountDownLatch(MESSAGES);

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            shipment.rows().forEach(row -> arrived(String.valueOf(row.sessionId()), row.messageId()));
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        private synchronized void arrived(String session, String id) {
            if (sessions.computeIfAbsent(session, first -> new LinkedHashSet<>())
                    .add(id)) {
                missing.countDown();
            }
        }

        synchronized void assertInOrder() {
            assertThat(sessions).hasSize(SESSIONS);
            for (int session = 0; session < SESSIONS; session++) {
                int first = session;
                assertThat(sessions.get("s" + session))
                        .containsExactlyElementsOf(IntStream.range(0, MESSAGES / SESSIONS)
                                .mapToObj(i -> "m" + (first + i * SESSIONS))
                                .toList());
            }
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
