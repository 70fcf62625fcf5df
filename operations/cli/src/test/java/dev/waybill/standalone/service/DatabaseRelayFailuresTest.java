package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.metrics.DatabaseMetrics;
import dev.waybill.standalone.metrics.SendMetrics;
import dev.waybill.standalone.servicebus.Bus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Failures between two steps of a start, and of a look. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class DatabaseRelayFailuresTest {
    @TempDir
    private Path directory;

    private static final class Taker implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }

    /** Fails once where a class of that name asks. */
    private static final class Failing extends HikariDataSource {
        private final String asking;
        private final Throwable failure;
        final AtomicInteger left = new AtomicInteger(1);

        Failing(HikariConfig config, String asking, Throwable failure) {
            super(config);
            this.asking = asking;
            this.failure = failure;
        }

        @Override
        public Connection getConnection() throws SQLException {
            boolean asked = Arrays.stream(new Throwable().getStackTrace())
                    .anyMatch(f -> f.getClassName().endsWith(asking));
            if (asked && left.getAndDecrement() > 0) {
                if (failure instanceof Error e) {
                    throw e;
                }
                throw (SQLException) failure;
            }
            return super.getConnection();
        }
    }

    private DatabaseRelay relay(Failing pool, DatabaseSettings settings, List<DeadLetterQueue> letters) {
        var meters = new SimpleMeterRegistry();
        var sends = new SendMetrics(new Taker(), meters, "main");
        Relay relay = Relay.builder(pool)
                .schema(settings.schema())
                .name("one")
                .publisher(sends)
                .destination("orders")
                .build();
        return new DatabaseRelay(
                settings,
                pool,
                new DatabaseRelay.Work(relay, letters, true),
                sends,
                DatabaseMetrics.of(meters, settings, pool, "one", Duration.ofSeconds(1)));
    }

    private Configuration configuration(TestDatabase database, String connectionString) throws Exception {
        Path file = directory.resolve("w.yaml");
        Files.writeString(file, """
                database: { main: { url: "%s", schema: %s } }
                namespace: { main: { connection-string: "%s" } }
                destination: { orders: {} }
                """.formatted(database.server().jdbcUrl(), database.schema(), connectionString));
        return Configuration.of(Sources.of(Map.of(), new ProcessEnvironment(Map.of(), Map.of()), Optional.of(file)));
    }

    private static HikariConfig config(TestDatabase database) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(10);
        return config;
    }

    @Test
    void a_database_that_is_away_when_the_collector_starts_is_waited_for(TestDatabase database) throws Exception {
        Program.tables(database);
        try (EmbeddedServiceBus bus =
                EmbeddedServiceBus.builder().queue("orders", q -> q).start()) {
            Configuration configuration = configuration(database, bus.connectionString());
            NamespaceSettings namespace = configuration.namespaces().get(0);
            var pool = new Failing(
                    config(database), "DeadLetterCollector", new SQLTransientConnectionException("none", "08001"));
            DatabaseRelay relay =
                    relay(pool, configuration.databases().get(0), List.of(new Bus(namespace).deadLetters("orders")));
            try {
                await().until(() -> relay.start().isZero());
                assertThat(relay.startup().ok()).isTrue();
            } finally {
                relay.handOver();
            }
        }
    }

    @Test
    void a_database_with_the_outbox_alone_is_ready_and_lacks_only_the_charts(TestDatabase database) throws Exception {
        Migrations.of(database.dataSource(), new SchemaName(database.schema())).apply(Feature.OUTBOX);
        Configuration configuration =
                configuration(database, "Endpoint=sb://127.0.0.1;SharedAccessKeyName=a;SharedAccessKey=b");
        DatabaseRelay relay = relay(
                new Failing(config(database), "none", new SQLException()),
                configuration.databases().get(0),
                List.of());
        var logger = (Logger) LoggerFactory.getLogger(DatabaseRelay.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        logger.addAppender(lines);
        try {
            relay.look();
            relay.look();
            assertThat(relay.databaseReadiness().ok()).isTrue();
        } finally {
            logger.detachAppender(lines);
            relay.handOver();
        }

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).as(line.getFormattedMessage()).isEqualTo(Level.INFO);
            assertThat(line.getFormattedMessage()).contains("the console's charts", "feature 'console'");
        });
    }

    @Test
    void an_error_in_a_look_is_told_and_the_next_look_follows(TestDatabase database) throws Exception {
        Program.tables(database);
        Configuration configuration =
                configuration(database, "Endpoint=sb://127.0.0.1;SharedAccessKeyName=a;SharedAccessKey=b");
        var pool = new Failing(config(database), "StatusReader", new NoClassDefFoundError("x"));
        pool.left.set(0);
        DatabaseRelay relay = relay(pool, configuration.databases().get(0), List.of());
        try {
            relay.start();
            relay.look();
            pool.left.set(1);
            relay.look();
            assertThat(relay.databaseReadiness().ok()).isFalse();
            relay.look();
            assertThat(relay.databaseReadiness().ok()).isTrue();
        } finally {
            relay.handOver();
        }
    }
}
