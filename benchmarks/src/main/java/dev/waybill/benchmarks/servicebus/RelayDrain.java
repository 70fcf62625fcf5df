package dev.waybill.benchmarks.servicebus;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Drains a full outbox into an empty queue; the first time it also notes which batches the broker got. */
final class RelayDrain {
    private static final int CONNECTIONS = 4;
    private static final int PATIENCE_MINUTES = 5;

    private final OutboxSchema schema;
    private final HikariDataSource pool;
    private final int rows;
    private final Batching batching;
    private List<List<String>> batches = List.of();

    RelayDrain(OutboxSchema schema, int rows, Batching batching) {
        this.schema = schema;
        this.pool = schema.pool("relay", CONNECTIONS);
        this.rows = rows;
        this.batching = batching;
    }

    /** Message ids of each batch, in the order of the broker. */
    List<List<String>> batches() {
        return batches;
    }

    /** Messages per second. */
    double rate(Consumer<EmbeddedServiceBus> arrange) throws Exception {
        refill();
        try (EmbeddedServiceBus bus = BenchQueue.start()) {
            arrange.accept(bus);
            return batches.isEmpty() ? drainAndNoteBatches(bus) : drain(bus);
        }
    }

    private double drainAndNoteBatches(EmbeddedServiceBus bus) throws Exception {
        var sent = Collections.synchronizedList(new ArrayList<List<String>>());
        // Noted by the condition: a rule remembers only so many of its hits.
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .when(event -> sent.add(event.messageIds()))
                .then(FaultAction.observe());
        double rate = drain(bus);
        batches = List.copyOf(sent);
        requireAll(batches);
        return rate;
    }

    private double drain(EmbeddedServiceBus bus) throws Exception {
        var acknowledged = new Semaphore(0);
        var publisher = ObservedPublisher.to(
                bus.connectionString(), batching.limit(), published -> acknowledged.release(published.size()));
        try (var relay = Relay.builder(pool)
                .schema(schema.name())
                .destination(Backlog.DESTINATION)
                .publisher(publisher)
                .tuning(tuning -> tuning.batchRows(batching.pageRows()))
                .build()) {
            var watch = Stopwatch.start();
            relay.start();
            if (!acknowledged.tryAcquire(rows, PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new TimeoutException("Only " + acknowledged.availablePermits() + " messages came through");
            }
            double rate = watch.rate(rows);
            BenchQueue.requireStored(bus, rows);
            return rate;
        }
    }

    private void requireAll(List<List<String>> noted) {
        long messages = noted.stream().mapToLong(List::size).sum();
        if (messages != rows) {
            throw new IllegalStateException("The batches noted have " + messages + " messages instead of " + rows);
        }
    }

    private void refill() {
        schema.dsl().execute("truncate {0}", schema.table("outbox_message"));
        Backlog.fill(schema, rows);
    }

    /**
     * How the relay divides a lane's rows.
     *
     * @param pageRows most rows of a bucket that are read at a time
     * @param limit most messages of a batch
     */
    record Batching(int pageRows, int limit) {}
}
