package dev.waybill.upgrade;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.inbox.DeliveryPolicy;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.receiver.ServiceBusSessions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * A consumer of one build or another in a JVM of its own, until its standard input ends. Uses nothing that the first edition
 * does not have.
 */
public final class UpgradedConsumer {
    static final Duration LOCK = Duration.ofSeconds(2);
    static final String NAME = "upgraded";

    /** Argument in place of a connection string: applies the build's migrations and ends. */
    static final String MIGRATE = "migrate";

    private UpgradedConsumer() {}

    /** Arguments: JDBC URL, schema, connection string or {@link #MIGRATE}. */
    public static void main(String[] args) throws IOException {
        var schema = new SchemaName(args[1]);
        try (var pool = pool(args[0])) {
            if (args[2].equals(MIGRATE)) {
                Migrations.of(pool, schema).apply();
                return;
            }
            try (var consumer = consumer(pool, schema, args[2])) {
                consumer.start();
                while (System.in.read() >= 0) {}
            }
        }
    }

    private static InboxConsumer consumer(HikariDataSource pool, SchemaName schema, String connectionString) {
        return InboxConsumer.builder(pool)
                .schema(schema)
                .name(NAME)
                .source(ServiceBusSessions.ofQueue(
                                () -> new ServiceBusClientBuilder().connectionString(connectionString), "orders")
                        .with(facts -> facts.withLockDuration(LOCK).withMaxDeliveryCount(2_000)))
                .handler((tx, message) -> handle(tx, schema, message))
                .onFailure(OnFailure.HOLD_SESSION)
                .deliveries(new DeliveryPolicy(1_000, 1_000, 100))
                .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(10)))
                .concurrency(4)
                .sessionIdle(Duration.ofMillis(50))
                .backgroundPollInterval(Duration.ofMillis(200))
                .build();
    }

    // Every tenth message or so waits for an order that comes later.
    private static Verdict handle(DSLContext tx, SchemaName schema, InboundMessage message) throws IOException {
        if (isDeferred(message.id())
                && !tx.fetchExists(
                        DSL.table(schema.table("released")), DSL.field("id").eq(message.id()))) {
            return Verdict.defer(message.id());
        }
        tx.execute(
                "insert into " + schema.table("effect") + " (session, id, process) values ({0}, {1}, {2})",
                DSL.val(message.session().orElseThrow()),
                DSL.val(message.id()),
                DSL.val(ProcessHandle.current().pid()));
        if (ThreadLocalRandom.current().nextInt(50) == 0) {
            throw new IOException("now and then");
        }
        return Verdict.done();
    }

    static boolean isDeferred(String id) {
        return Math.floorMod(id.hashCode(), 10) == 0;
    }

    private static HikariDataSource pool(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    /** @param build class path of a build; its own library stands before the test's classes */
    static Process start(String build, Path out, List<String> arguments) throws IOException {
        var classes = UpgradedConsumer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        var command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                build + File.pathSeparator + classes,
                UpgradedConsumer.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
    }
}
