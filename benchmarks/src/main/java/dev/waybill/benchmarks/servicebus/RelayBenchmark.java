package dev.waybill.benchmarks.servicebus;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
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
    private static final Duration DELAY = Duration.ofMillis(2);
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
        int rows = scale.choose(200_000, 100_000, 500);
        int rounds = scale.choose(9, 5, 1);
        report.note("PostgreSQL, relay and embedded broker share the cores; " + rows + " messages per round;"
                + " connecting included on both sides");
        try (OutboxSchema schema = environment.newSchema()) {
            var relay = new RelayDrain(schema, rows);
            var raw = new RawDrain(schema, relay::batches);
            var bound = pairs("relay", rounds, relay, raw, bus -> {});
            report.figure("messagesPerSecond", bound.first(), Target.atLeast(MESSAGES_TARGET));
            report.figure("ratioToRawSdk", bound.ratio(), Target.atLeast(RAW_TARGET));
            var delayed = pairs("relay, 2 ms", rounds, relay, raw, delayed(DELAY));
            report.figure("ratioToRawSdkDelayed", delayed.ratio(), Target.atLeast(DELAYED_TARGET));
            var remote = pairs("relay, 20 ms", rounds / 2 + 1, relay, raw, delayed(REMOTE_DELAY));
            report.detail("ratio with acknowledgement after 20 ms", remote.ratio());
            report.detail("raw SDK, msg/s", bound.second());
            describe(report, "2 ms", delayed);
            describe(report, "20 ms", remote);
            int batches = relay.batches().size();
            report.detail("messages per batch", Spread.once((double) rows / batches));
        }
    }

    private static void describe(Report report, String delay, Rounds.Pairs pairs) {
        report.detail("relay, acknowledged after " + delay + ", msg/s", pairs.first());
        report.detail("raw SDK, acknowledged after " + delay + ", msg/s", pairs.second());
    }

    private static Rounds.Pairs pairs(
            String what, int rounds, RelayDrain relay, RawDrain raw, Consumer<EmbeddedServiceBus> arrange)
            throws Exception {
        return Rounds.pairs(what, rounds, () -> relay.rate(arrange), () -> raw.rate(arrange));
    }

    private static Consumer<EmbeddedServiceBus> delayed(Duration delay) {
        return bus -> bus.faults().at(FaultPoint.STORED_BEFORE_ACK).then(FaultAction.delay(delay));
    }
}
