package dev.waybill.relay;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A relay in a JVM with little memory, whose broker counts. Prints one line for each message; ends when its parent does. */
public final class MemoryProcess {
    private MemoryProcess() {}

    /** Arguments: JDBC URL, schema. */
    public static void main(String[] args) throws IOException {
        try (HikariDataSource pool = PostgresServer.pool(args[0], 6);
                var relay = Relay.builder(pool)
                        .schema(new SchemaName(args[1]))
                        .destination("orders")
                        .publisher(new Counting(new PrintStream(System.out, true, StandardCharsets.UTF_8)))
                        .leaseDuration(Duration.ofSeconds(15))
                        .build()) {
            relay.start();
            while (System.in.read() >= 0) {}
        }
    }

    static Process start(String heap, String jdbcUrl, String schema) throws IOException {
        var command = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MemoryProcess.class.getName(),
                jdbcUrl,
                schema);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static final class Counting implements Publisher {
        private final Set<String> arrived = ConcurrentHashMap.newKeySet();
        private final PrintStream out;

        Counting(PrintStream out) {
            this.out = out;
        }

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            if (!shipment.mayContinue().getAsBoolean()) {
                return CompletableFuture.completedFuture(PublishResult.accepted(0));
            }
            for (OutboxRow row : shipment.rows()) {
                if (arrived.add(row.messageId())) {
                    out.println("arrived " + row.content().body().length);
                }
            }
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }
}
