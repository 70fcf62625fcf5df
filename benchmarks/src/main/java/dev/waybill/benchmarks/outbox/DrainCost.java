package dev.waybill.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.CpuCaches;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.environment.ServerCpu;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Measures the server's cost of each row of a backlog that a relay drains, from the first shipment to the last one. */
final class DrainCost {
    private static final int CONNECTIONS = 4;
    private static final int PAGE_ROWS = 100;
    private static final int PATIENCE_SECONDS = 900;
    private static final double NANOS_PER_MICRO = 1e3;

    private final OutboxSchema schema;
    private final HikariDataSource pool;
    private final ServerCpu server;

    DrainCost(OutboxSchema schema) {
        this.schema = schema;
        this.pool = schema.pool("relay", CONNECTIONS);
        this.server = schema.cpuOfServer();
    }

    /** Of a new backlog of this size. */
    double microsPerRow(int rows) throws Exception {
        schema.emptyMessages();
        Backlog.fill(schema, rows);
        return drained(rows);
    }

    /** The same, written by one transaction. */
    double microsPerRowOfOneTransaction(int rows) throws Exception {
        schema.emptyMessages();
        Backlog.fillInOneTransaction(schema, rows);
        return drained(rows);
    }

    private double drained(int rows) throws Exception {
        CpuCaches.evict();
        var meter = new Meter(rows);
        try (var relay = Relay.builder(pool)
                .schema(schema.name())
                .destination(Backlog.DESTINATION)
                .publisher(meter)
                .tuning(tuning -> tuning.batchRows(PAGE_ROWS))
                .build()) {
            relay.start();
            return meter.nanosPerRow.get(PATIENCE_SECONDS, TimeUnit.SECONDS) / NANOS_PER_MICRO;
        }
    }

    /** Accepts all rows, and looks at the server's books before the first and with the last. */
    private final class Meter implements Publisher {
        private final CompletableFuture<Double> nanosPerRow = new CompletableFuture<>();
        private final int rows;
        private int accepted;
        private long nanosAtStart;

        Meter(int rows) {
            this.rows = rows;
        }

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            int size = shipment.rows().size();
            accept(size);
            return CompletableFuture.completedFuture(PublishResult.accepted(size));
        }

        private synchronized void accept(int size) {
            if (accepted == 0) {
                nanosAtStart = server.nanos();
            }
            accepted += size;
            if (accepted >= rows && !nanosPerRow.isDone()) {
                nanosPerRow.complete((double) (server.nanos() - nanosAtStart) / accepted);
            }
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
