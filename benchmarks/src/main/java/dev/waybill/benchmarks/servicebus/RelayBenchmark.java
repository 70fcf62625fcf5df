package dev.waybill.benchmarks.servicebus;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.benchmarks.servicebus.RelayDrain.Batching;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.function.Consumer;

/** How fast a backlog reaches the broker, against the SDK that need not read it from a database. */
public final class RelayBenchmark implements Benchmark {
    private static final double MESSAGES_TARGET = 15_000;
    private static final double RAW_TARGET = 0.6;
    private static final double DELAYED_TARGET = 0.9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final Duration DELAY = Duration.ofMillis(2);
    private static final Batching LARGE = new Batching(100, Integer.MAX_VALUE);
    private static final Batching SMALL = new Batching(96, 8);
    // About what a namespace in the same region takes.
    private static final Duration REMOTE_DELAY = Duration.ofMillis(20);

    @Override
    public String name() {
        return "relay";
    }

    @Override
    public String summary() {
        return "a backlog of 1 KiB messages drained by the relay, against the raw SDK sending the same batches";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        int rows = scale.choose(300_000, 200_000, 500);
        int rounds = scale.choose(9, 5, 1);
        report.note("PostgreSQL, relay and embedded broker share the cores; " + rows + " messages per round;"
                + " connecting included on both sides");
        report.note("delayed: batches of " + SMALL.limit() + ", so that it is the delay that bounds the raw SDK");
        try (OutboxSchema schema = environment.newSchema()) {
            var sides = Sides.of(schema, rows, LARGE);
            var bound = sides.pairs("relay", rounds, bus -> {});
            report.figure("messagesPerSecond", bound.first(), Target.atLeast(MESSAGES_TARGET));
            report.figure("ratioToRawSdk", bound.ratio(), Target.atLeast(RAW_TARGET));
            var small = Sides.of(schema, rows, SMALL).pairs("relay, 2 ms, small", rounds, delayed(DELAY));
            report.figure("ratioToRawSdkDelayed", small.ratio(), Target.atLeast(DELAYED_TARGET));
            var delayed = sides.pairs("relay, 2 ms", rounds / 2 + 1, delayed(DELAY));
            report.detail("ratio with acknowledgement after 2 ms, large batches", delayed.ratio());
            var remote = sides.pairs("relay, 20 ms", rounds / 2 + 1, delayed(REMOTE_DELAY));
            report.detail("ratio with acknowledgement after 20 ms, large batches", remote.ratio());
            report.detail("raw SDK, msg/s", bound.second());
            describe(report, "2 ms, small batches", small);
            describe(report, "2 ms", delayed);
            describe(report, "20 ms", remote);
            report.detail("messages per large batch", sides.messagesPerBatch());
            describeBound(report, sides, new BareRead(schema), rounds);
        }
    }

    // Where all cores are busy, nobody who reads the rows from a table comes closer to who has them in memory.
    private static void describeBound(Report report, Sides sides, BareRead read, int rounds) throws Exception {
        var pairs = Rounds.pairs(
                "raw SDK / bare read, us a message",
                rounds,
                () -> read.processNanos(() -> sides.raw.rate(bus -> {})) / NANOS_PER_MICRO / sides.rows,
                read::microsPerRow);
        report.detail("CPU of the raw SDK with the broker, us a message", pairs.first());
        report.detail("CPU of a bare read, server and driver, us a row", pairs.second());
        double send = pairs.first().median();
        report.detail(
                "ratio by CPU of a program that only reads and sends",
                Spread.once(send / (send + pairs.second().median())));
    }

    private static void describe(Report report, String delay, Rounds.Pairs pairs) {
        report.detail("relay, acknowledged after " + delay + ", msg/s", pairs.first());
        report.detail("raw SDK, acknowledged after " + delay + ", msg/s", pairs.second());
    }

    /** The relay, and the raw SDK that sends the relay's batches. */
    private record Sides(RelayDrain relay, RawDrain raw, int rows) {
        static Sides of(OutboxSchema schema, int rows, Batching batching) {
            var relay = new RelayDrain(schema, rows, batching);
            return new Sides(relay, new RawDrain(schema, relay::batches), rows);
        }

        Rounds.Pairs pairs(String name, int rounds, Consumer<EmbeddedServiceBus> arrange) throws Exception {
            return Rounds.pairs(
                    name, rounds, () -> withoutGarbage(relay::rate, arrange), () -> withoutGarbage(raw::rate, arrange));
        }

        // The broker keeps all messages in memory: a round would pay for those of the rounds before, of either side.
        private static double withoutGarbage(Drain drain, Consumer<EmbeddedServiceBus> arrange) throws Exception {
            System.gc();
            return drain.rate(arrange);
        }

        Spread messagesPerBatch() {
            return Spread.once((double) rows / relay.batches().size());
        }
    }

    /** Sends all messages to a broker. */
    @FunctionalInterface
    private interface Drain {
        /** Messages per second. */
        double rate(Consumer<EmbeddedServiceBus> arrange) throws Exception;
    }

    private static Consumer<EmbeddedServiceBus> delayed(Duration delay) {
        return bus -> bus.faults().at(FaultPoint.STORED_BEFORE_ACK).then(FaultAction.delay(delay));
    }
}
