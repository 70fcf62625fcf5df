package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.environment.OwnCpu;
import dev.waybill.benchmarks.environment.ServerCpu;
import dev.waybill.benchmarks.measure.Scale;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import org.jooq.DSLContext;

/** Transactions at a fixed rate over some seconds, and what server and client spent on them. */
final class CostLoad implements AutoCloseable {
    static final int WRITERS = 8;

    private static final int PATIENCE_SECONDS = 60;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final OutboxSchema schema;
    private final DSLContext dsl;
    private final int leadSeconds;
    // They live on, because the time of those that have ended is not counted.
    private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    private volatile Latencies current = new Latencies("", 0);

    CostLoad(OutboxSchema schema, Scale scale) {
        this.schema = schema;
        this.leadSeconds = scale.choose(1, 1, 0);
        this.dsl = OutboxSchema.dsl(schema.pool("writers", WRITERS));
    }

    /** How many messages one measurement writes. */
    int messages(int rate, int seconds) {
        return rate * (leadSeconds + seconds);
    }

    /** The publisher of this side runs only meanwhile, and a second longer at either end. */
    Cost measure(CostSide side, int rate, int seconds) throws Exception {
        ServerCpu server = schema.cpuOfServer();
        try (CostSide.Publishing publishing = side.publishing(this::published)) {
            write(side, publishing, rate, leadSeconds);
            long serverBefore = server.nanos();
            long clientBefore = OwnCpu.nanos();
            Latencies latencies = write(side, publishing, rate, seconds);
            double messages = (double) rate * seconds * NANOS_PER_MICRO;
            return new Cost(
                    (server.nanos() - serverBefore) / messages,
                    (OwnCpu.nanos() - clientBefore) / messages,
                    side.publishes() ? latencies.percentileMillis(0.5) : 0,
                    side.publishes() ? latencies.percentileMillis(0.99) : 0);
        }
    }

    // Ends when everything is published, so that all sides have done their work.
    private Latencies write(CostSide side, CostSide.Publishing publishing, int rate, int seconds) throws Exception {
        String prefix = "c" + RUNS.incrementAndGet() + "-";
        var latencies = new Latencies(prefix, rate * seconds);
        current = latencies;
        CostSide.Transactions transactions = side.transactions(dsl);
        IntConsumer transaction = i -> {
            transactions.run(tx -> side.write(tx, i % Business.ACCOUNTS, prefix + i));
            latencies.committed(i, System.nanoTime());
            publishing.committed();
        };
        new PacedWriters(WRITERS, rate).write(seconds, transaction, writers);
        if (side.publishes() && !latencies.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("Not everything was published at " + rate + "/s");
        }
        return latencies;
    }

    @Override
    public void close() {
        writers.shutdownNow();
    }

    private void published(String reference) {
        current.acknowledged(reference, System.nanoTime());
    }

    /** Per message: CPU in microseconds, business included, and the time from commit to publisher. */
    record Cost(double serverMicros, double clientMicros, double p50Millis, double p99Millis) {
        /** The same and so much more for the server. */
        Cost withServerMicros(double more) {
            return new Cost(serverMicros + more, clientMicros, p50Millis, p99Millis);
        }

        /** Of turns with as many messages each. */
        static Cost mean(List<Cost> turns) {
            return new Cost(
                    mean(turns, Cost::serverMicros),
                    mean(turns, Cost::clientMicros),
                    mean(turns, Cost::p50Millis),
                    mean(turns, Cost::p99Millis));
        }

        private static double mean(List<Cost> turns, ToDoubleFunction<Cost> figure) {
            return turns.stream().mapToDouble(figure).average().orElseThrow();
        }
    }
}
