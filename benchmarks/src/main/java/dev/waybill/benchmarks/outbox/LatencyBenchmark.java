package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.benchmarks.servicebus.BenchQueue;
import dev.waybill.benchmarks.servicebus.ObservedPublisher;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How long a committed message takes to the broker when there is little to do, and what the relay asks when idle. */
public final class LatencyBenchmark implements Benchmark {
    private static final double P50_TARGET = 5;
    private static final double P99_TARGET = 25;
    private static final double P50_SEPARATE_TARGET = 20;
    private static final double IDLE_TARGET = 4;
    private static final double P50_SPARSE_TARGET = 5;
    private static final double P50_SPARSE_SQL_TARGET = 300;
    private static final int RELAY_CONNECTIONS = 6;

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String summary() {
        return "commit to acknowledgement, relay embedded and in another process, often and now and then; idle relays";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        report.note("latency in ms from the return of the commit to the broker's acknowledgement in the relay, at "
                + LatencyRun.RATE + "/s; between processes by System.nanoTime, which is one clock on Linux");
        report.note(
                "sparse: a message every 1.1 to 1.3 s, by Outbox.inTransaction or by outbox_append, relay in another process");
        report.note("idle queries: statements that pg_stat_statements counts, of the relay alone");
        embedded(environment, scale, report);
        separate(environment, scale, report);
        new ManyDestinations(environment, scale).measure(report);
    }

    private static void embedded(Environment environment, Scale scale, Report report) throws Exception {
        try (OutboxSchema schema = environment.newSchema();
                EmbeddedServiceBus bus = BenchQueue.start()) {
            var run = new LatencyRun(schema, scale);
            var publisher = ObservedPublisher.to(bus.connectionString(), run::acknowledged);
            try (var relay = Relay.builder(schema.pool("relay", RELAY_CONNECTIONS))
                    .schema(schema.name())
                    .destination(Backlog.DESTINATION)
                    .publisher(publisher)
                    .build()) {
                relay.start();
                List<Latencies> rounds = run.rounds(relay::wake);
                report.figure("p50Millis", percentile(rounds, 0.5), Target.atMost(P50_TARGET));
                report.figure("p99Millis", percentile(rounds, 0.99), Target.atMost(P99_TARGET));
                report.figure("p999Millis", percentile(rounds, 0.999), Target.NONE);
                Spread idle = idleQueries(schema, scale);
                report.figure("idleQueriesPerSecond", idle, Target.atMost(IDLE_TARGET));
            }
        }
    }

    private static void separate(Environment environment, Scale scale, Report report) throws Exception {
        try (OutboxSchema schema = environment.newSchema();
                EmbeddedServiceBus bus = BenchQueue.start()) {
            var run = new LatencyRun(schema, scale);
            try (var child = ChildRelay.start(schema, bus.connectionString(), run::acknowledged)) {
                List<Latencies> rounds = run.rounds(() -> {});
                if (!child.isAlive()) {
                    throw new IllegalStateException("The relay's process ended early");
                }
                report.figure("p50MillisSeparate", percentile(rounds, 0.5), Target.atMost(P50_SEPARATE_TARGET));
                report.detail("p99 separate, ms", percentile(rounds, 0.99));
                report.detail("p99.9 separate, ms", percentile(rounds, 0.999));
                sparse(schema, run, scale, report);
            }
        }
    }

    private static void sparse(OutboxSchema schema, LatencyRun run, Scale scale, Report report) throws Exception {
        var sparse = new SparseRun(schema, run, scale);
        List<Latencies> atCommit = sparse.byOutboxTransaction();
        report.figure("p50MillisSparseSeparate", percentile(atCommit, 0.5), Target.atMost(P50_SPARSE_TARGET));
        report.detail("p99 sparse separate, ms", percentile(atCommit, 0.99));
        List<Latencies> bySql = sparse.bySql();
        report.figure("p50MillisSparseSql", percentile(bySql, 0.5), Target.atMost(P50_SPARSE_SQL_TARGET));
        report.detail("p99 sparse SQL, ms", percentile(bySql, 0.99));
    }

    private static Spread percentile(List<Latencies> rounds, double rank) {
        return Spread.of(rounds.stream()
                .map(latencies -> latencies.percentileMillis(rank))
                .toList());
    }

    // The relay slows down step by step.
    private static Spread idleQueries(OutboxSchema schema, Scale scale) throws Exception {
        int seconds = scale.choose(60, 20, 1);
        TimeUnit.SECONDS.sleep(scale.choose(5, 5, 1));
        long before = schema.statements();
        TimeUnit.SECONDS.sleep(seconds);
        return Spread.once((double) (schema.statements() - before) / seconds);
    }
}
