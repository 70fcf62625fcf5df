package dev.waybill.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.CpuCaches;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Measures the server's cost of each row that a relay reads and settles. Looked at between turns, from within the
 * publisher, so that both sides of a comparison pay for the same number of whole turns.
 */
final class DrainCost {
    static final int TURNS = 3;

    private static final String APPLICATION = "relay";
    private static final int CONNECTIONS = 3;
    private static final int PAGE_ROWS = 100;
    private static final int ROWS_PER_TURN = 32 * PAGE_ROWS;
    private static final int PATIENCE_SECONDS = 120;
    private static final double NANOS_PER_MICRO = 1e3;

    private final OutboxSchema schema;
    private final HikariDataSource pool;

    DrainCost(OutboxSchema schema) {
        this.schema = schema;
        this.pool = schema.pool(APPLICATION, CONNECTIONS);
    }

    /** Makes a backlog of this size. The turn before the measured ones comes on top. */
    void refill(int rows) {
        clear();
        Backlog.fill(schema, rows + ROWS_PER_TURN);
    }

    /** The same, written by one transaction. */
    void refillInOneTransaction(int rows) {
        clear();
        Backlog.fillInOneTransaction(schema, rows + ROWS_PER_TURN);
    }

    double microsPerRow() throws Exception {
        CpuCaches.evict();
        var meter = new Meter();
        try (var relay = Relay.builder(pool)
                .schema(schema.name())
                .destination(Backlog.DESTINATION)
                .publisher(meter)
                .batchRows(PAGE_ROWS)
                .build()) {
            relay.start();
            return meter.nanosPerRow.get(PATIENCE_SECONDS, TimeUnit.SECONDS) / NANOS_PER_MICRO;
        }
    }

    private void clear() {
        schema.dsl().execute("truncate {0}, {1}", schema.table("outbox_message"), schema.table("outbox_progress"));
    }

    /** Accepts until the measured turns are over, and nothing after that. Called by the turns' one thread. */
    private final class Meter implements Publisher {
        private final CompletableFuture<Double> nanosPerRow = new CompletableFuture<>();
        private int accepted;
        private long nanosAtStart;

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(PublishResult.accepted(accept(shipment.rows())));
        }

        private int accept(List<OutboxRow> rows) {
            if (accepted == 0) {
                nanosAtStart = schema.cpuOf(APPLICATION).nanos();
            } else if (accepted >= TURNS * ROWS_PER_TURN && !nanosPerRow.isDone()) {
                long nanos = schema.cpuOf(APPLICATION).nanos() - nanosAtStart;
                nanosPerRow.complete((double) nanos / accepted);
            }
            if (nanosPerRow.isDone()) {
                return 0;
            }
            accepted += rows.size();
            return rows.size();
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
