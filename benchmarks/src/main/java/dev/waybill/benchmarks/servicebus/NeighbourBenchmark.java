package dev.waybill.benchmarks.servicebus;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.hold.Holds;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jooq.impl.DSL;

/** Measures the cost for its neighbours of a destination that refuses everything. */
public final class NeighbourBenchmark implements Benchmark {
    private static final String DEAD = "dead";
    private static final int DEAD_ROWS = 1_000;
    private static final int CONNECTIONS = 6;
    private static final int PATIENCE_MINUTES = 5;
    private static final double TARGET = 0.95;

    @Override
    public String name() {
        return "neighbour";
    }

    @Override
    public String summary() {
        return "a backlog drained beside a destination that answers server-busy to everything, against beside a healthy one";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        int rows = scale.choose(300_000, 200_000, 500);
        report.note(rows + " messages of 1 KiB per round; " + DEAD_ROWS + " more wait for the neighbour");
        try (OutboxSchema schema = environment.newSchema()) {
            var pool = schema.pool("relay", CONNECTIONS);
            var drain = new Drain(schema, pool, rows);
            var pairs =
                    Rounds.pairs("neighbour", scale.choose(9, 5, 1), () -> drain.rate(true), () -> drain.rate(false));
            report.figure("ratioBesideDead", pairs.ratio(), Target.atLeast(TARGET));
            report.detail("beside a dead one, msg/s", pairs.first());
            report.detail("beside a healthy one, msg/s", pairs.second());
        }
    }

    private record Drain(OutboxSchema schema, DataSource pool, int rows) {
        double rate(boolean dead) throws Exception {
            refill();
            try (EmbeddedServiceBus bus = BenchQueue.startWith(DEAD)) {
                if (dead) {
                    bus.faults()
                            .at(FaultPoint.BEFORE_STORE)
                            .entity(DEAD)
                            .then(FaultAction.reject(BrokerError.SERVER_BUSY));
                }
                return drain(bus);
            }
        }

        private double drain(EmbeddedServiceBus bus) throws Exception {
            var acknowledged = new Semaphore(0);
            var publisher = ObservedPublisher.to(bus.connectionString(), published -> {
                if (!published.isEmpty() && published.get(0).messageId().startsWith("m")) {
                    acknowledged.release(published.size());
                }
            });
            try (var relay = Relay.builder(pool)
                    .schema(schema.name())
                    .destination(Backlog.DESTINATION)
                    .destination(DEAD)
                    .publisher(publisher)
                    .build()) {
                var watch = Stopwatch.start();
                relay.start();
                if (!acknowledged.tryAcquire(rows, PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                    throw new TimeoutException("Only " + acknowledged.availablePermits() + " messages came through");
                }
                double rate = watch.rate(rows);
                if (!Holds.ofOutbox(pool, schema.name()).list().isEmpty()) {
                    throw new IllegalStateException("A message was blamed for its destination");
                }
                return rate;
            }
        }

        private void refill() {
            schema.dsl().execute("truncate {0}", schema.table("outbox_message"));
            schema.dsl()
                    .execute(
                            "insert into {0} (destination, session_id, message_id, payload)"
                                    + " select {1}, 's' || n % 100, 'd' || n, '' from generate_series(1, {2}) n",
                            schema.table("outbox_message"), DSL.val(DEAD), DSL.val(DEAD_ROWS));
            Backlog.fill(schema, rows);
        }
    }
}
