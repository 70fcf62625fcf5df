package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Collected into the database, re-driven from there through the outbox, published by a relay. */
final class WaybillRedrive {
    private static final int CONNECTIONS = 6;
    private static final long PATIENCE_NANOS = Duration.ofMinutes(5).toNanos();
    private static final AuditContext WORD = new AuditContext("benchmark", "to see how long it takes");

    private final OutboxSchema schema;
    private final HikariDataSource pool;
    private final int messages;

    WaybillRedrive(OutboxSchema schema, int messages) {
        this.schema = schema;
        this.pool = schema.pool("deadletters", CONNECTIONS);
        this.messages = messages;
    }

    /** Messages per second, from the first receive to the last acknowledged send. */
    double rate(Consumer<EmbeddedServiceBus> condition) throws Exception {
        empty();
        try (EmbeddedServiceBus bus = DeadQueue.start(messages);
                var relay = relay(bus)) {
            condition.accept(bus);
            relay.start();
            var watch = Stopwatch.start();
            DeadLetterCollector collector = collector(bus);
            try {
                redrive(bus);
            } finally {
                collector.close();
            }
            double rate = watch.rate(messages);
            DeadQueue.requireMoved(bus, messages);
            return rate;
        }
    }

    // As the raw side sends while it receives: what has come is re-driven while more comes.
    private void redrive(EmbeddedServiceBus bus) throws Exception {
        var redrives = Redrives.in(pool, schema.name());
        int redriven = 0;
        long start = System.nanoTime();
        while (redriven < messages) {
            redriven += redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toEntity(DeadQueue.TARGET), WORD)
                    .redriven();
            requirePatience(start, "the last dead letter");
        }
        while (bus.inspect(DeadQueue.TARGET).active() < messages) {
            Thread.sleep(2);
            requirePatience(start, "the last message");
        }
    }

    private DeadLetterCollector collector(EmbeddedServiceBus bus) {
        var queue = ServiceBusDeadLetters.ofQueue(() -> client(bus), DeadQueue.SOURCE);
        return DeadLetterCollector.start(pool, schema.name(), List.of(queue));
    }

    private Relay relay(EmbeddedServiceBus bus) {
        return Relay.builder(pool)
                .schema(schema.name())
                .destination(DeadQueue.TARGET)
                .publisher(ServiceBusPublisher.of(() -> client(bus)))
                .build();
    }

    private static ServiceBusClientBuilder client(EmbeddedServiceBus bus) {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    private void empty() {
        schema.dsl()
                .execute(
                        "truncate {0}, {1}, {2}, {3}, {4}, {5}, {6}",
                        schema.table("outbox_message"),
                        schema.table("dead_letter_message"),
                        schema.table("dead_letter_state"),
                        schema.table("dead_letter_version"),
                        schema.table("operator_action"),
                        schema.table("dead_letter_redrive"),
                        schema.table("dead_letter_redrive_page"));
    }

    private static void requirePatience(long start, String name) throws TimeoutException {
        if (System.nanoTime() - start > PATIENCE_NANOS) {
            throw new TimeoutException("Waited in vain for " + name);
        }
    }
}
