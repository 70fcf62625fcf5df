package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Relay;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jooq.impl.DSL;

/**
 * From a commit to the publisher, by way of one poll, beside two million rows that the relay has published and no vacuum may
 * remove. The poll by itself takes less.
 */
record ReadBesideDead(Environment environment, Scale scale) {
    private static final int CONNECTIONS = 6;
    private static final int PATIENCE_SECONDS = 900;

    Spread millis(Report report) throws Exception {
        int rows = scale.choose(2_000_000, 2_000_000, 20_000);
        report.note("dead: " + rows
                + " rows are published while a foreign writer stays open; then commit to publisher, p50, at "
                + LatencyRun.RATE + "/s, beside the same writer");
        try (OutboxSchema schema = environment.newSchema()) {
            Backlog.fill(schema, rows);
            return ForeignTransaction.WRITER.beside(schema, () -> drainedAndPolled(schema, rows, report));
        }
    }

    private Spread drainedAndPolled(OutboxSchema schema, int rows, Report report) throws Exception {
        // Short rounds for a table that is large only once.
        var run = new LatencyRun(schema, scale == Scale.FULL ? Scale.SHORT : scale);
        var waiting = new CountDownLatch(rows);
        try (Relay relay = started(schema, run, waiting)) {
            if (!waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new TimeoutException(waiting.getCount() + " of " + rows + " rows were not published");
            }
            report.detail("dead tuples of messages, thousands", Spread.once(deadThousands(schema)));
            return Spread.of(run.rounds(relay::wake).stream()
                    .map(latencies -> latencies.percentileMillis(0.5))
                    .toList());
        }
    }

    private static Relay started(OutboxSchema schema, LatencyRun run, CountDownLatch waiting) {
        return Relay.builder(schema.pool("relay", CONNECTIONS))
                .schema(schema.name())
                .destination(Backlog.DESTINATION)
                .publisher(new AcceptingPublisher(published -> {
                    run.acknowledged(published);
                    countDown(published, waiting);
                }))
                .start();
    }

    private static void countDown(List<OutboxRow> published, CountDownLatch waiting) {
        published.forEach(row -> waiting.countDown());
    }

    // By the server's own estimate; a table that is cut into partitions has its rows in those.
    private static double deadThousands(OutboxSchema schema) {
        return ((Number) schema.dsl()
                                .fetchValue(
                                        "select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables where schemaname = {0}"
                                                + " and relname like 'outbox_message%'",
                                        DSL.val(schema.name().value())))
                        .doubleValue()
                / 1_000;
    }
}
