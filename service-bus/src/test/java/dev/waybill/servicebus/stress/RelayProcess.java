package dev.waybill.servicebus.stress;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A relay in a JVM of its own, to be stopped by signals no JVM can catch. Ends when its parent does. */
public final class RelayProcess {
    static final Duration LEASE = Duration.ofSeconds(2);

    private RelayProcess() {}

    /** Arguments: JDBC URL, schema, connection string. */
    public static void main(String[] args) throws IOException {
        try (var pool = PostgresServer.pool(args[0], 6);
                var relay = Relay.builder(pool)
                        .schema(new SchemaName(args[1]))
                        .destination(StressTest.DESTINATION)
                        .publisher(ServiceBusPublisher.of(() -> new ServiceBusClientBuilder().connectionString(args[2]))
                                .withSendDeadline(Duration.ofSeconds(5)))
                        .tuning(tuning -> tuning.leaseDuration(LEASE))
                        .build()) {
            relay.start();
            while (System.in.read() >= 0) {}
        }
    }

    static Process start(String jdbcUrl, String schema, String connectionString) throws IOException {
        var command = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RelayProcess.class.getName(),
                jdbcUrl,
                schema,
                connectionString);
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
