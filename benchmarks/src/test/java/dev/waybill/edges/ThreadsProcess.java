package dev.waybill.edges;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.monitor.AlertSink;
import dev.waybill.deadletter.monitor.DeadLetterMonitor;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** A program whose {@code main} starts one of Waybill's parts and returns. At the end of its input it closes the part. */
final class ThreadsProcess {
    static final String RETURNS = "main returns";
    static final String HANGS = "the handler hangs";

    private ThreadsProcess() {}

    /** Arguments: what it runs, JDBC URL, schema, connection string. */
    public static void main(String[] arguments) {
        DataSource pool = PostgresServer.pool(arguments[1], 20);
        AutoCloseable part = start(arguments[0], pool, new SchemaName(arguments[2]), arguments[3]);
        var input = new Thread(() -> closeAtTheEnd(part), "test-input");
        input.setDaemon(true);
        input.start();
        System.out.println(RETURNS);
    }

    private static AutoCloseable start(String what, DataSource pool, SchemaName schema, String connectionString) {
        return switch (what) {
            case "relay" ->
                Relay.builder(pool)
                        .schema(schema)
                        .destination("orders")
                        .publisher(ServiceBusPublisher.of(connectionString))
                        .start();
            case "consumer", "hanging" -> consumer(what, pool, schema, connectionString);
            case "collector" ->
                DeadLetterCollector.start(
                        pool,
                        schema,
                        List.of(ServiceBusDeadLetters.ofQueue(
                                () -> new ServiceBusClientBuilder().connectionString(connectionString), "orders")));
            case "monitor" ->
                DeadLetterMonitor.of(
                                pool,
                                schema,
                                DeadLetterMonitor.Thresholds.DEFAULT,
                                List.<AlertSink>of(alert -> {}),
                                List.of())
                        .start(Duration.ofSeconds(1));
            default -> throw new IllegalArgumentException(what);
        };
    }

    private static AutoCloseable consumer(String what, DataSource pool, SchemaName schema, String connectionString) {
        return InboxConsumer.builder(pool)
                .schema(schema)
                .name("billing")
                .source(ServiceBusSource.ofQueue(connectionString, "orders"))
                .handler((tx, message) -> {
                    if (what.equals("hanging")) {
                        hang();
                    }
                    return Verdict.done();
                })
                .tuning(tuning -> tuning.drain(Duration.ofSeconds(1)))
                .start();
    }

    private static void hang() {
        System.out.println(HANGS);
        var never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException ignored) {
                // As a driver that heeds no interrupt.
            }
        }
    }

    private static void closeAtTheEnd(AutoCloseable part) {
        try (part) {
            while (System.in.read() >= 0) {}
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
