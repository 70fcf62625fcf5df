package dev.waybill.benchmarks.servicebus;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;

/** Measures collecting and re-driving dead letters, against receiving and sending them without a table. */
public final class DeadLettersBenchmark implements Benchmark {
    private static final double BARE_TARGET = 0.4;
    private static final double DELAYED_TARGET = 0.85;

    /** About what a namespace takes to answer. */
    private static final Duration REMOTE_DELAY = Duration.ofMillis(20);

    @Override
    public String name() {
        return "deadletters";
    }

    @Override
    public String summary() {
        return "dead letters collected and re-driven through the outbox, against the raw SDK's receive and send";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        int messages = scale.choose(100_000, 50_000, 300);
        int rounds = scale.choose(5, 3, 1);
        report.note("PostgreSQL, collector, relay and embedded broker share the cores; " + messages
                + " dead letters of 1 KiB per round; batches of 100, 256 completions in flight on both sides; connecting"
                + " included, but for the relay, which is at work already");
        try (OutboxSchema schema = environment.newSchema()) {
            var waybill = new WaybillRedrive(schema, messages);
            var raw = new RawRedrive(messages);
            var pairs = Rounds.pairs("dead letters", rounds, () -> waybill.rate(bus -> {}), () -> raw.rate(bus -> {}));
            report.figure("ratioToRawSdk", pairs.ratio(), Target.NONE);
            report.detail("collected and re-driven, msg/s", pairs.first());
            report.detail("raw SDK, msg/s", pairs.second());
            bare(schema, messages, rounds, report);
            var remote = Rounds.pairsAsTheyAre(
                    "dead letters, 20 ms",
                    rounds / 2 + 1,
                    () -> waybill.rate(DeadLettersBenchmark::acknowledgeLate),
                    () -> raw.rate(DeadLettersBenchmark::acknowledgeLate));
            report.figure("ratioToRawSdkDelayed20", remote.ratio(), Target.atLeast(DELAYED_TARGET));
            report.detail("collected and re-driven, acknowledged after 20 ms, msg/s", remote.first());
            report.detail("raw SDK, acknowledged after 20 ms, msg/s", remote.second());
        }
    }

    // How much of the distance is the tables' and not Waybill's.
    private static void bare(OutboxSchema schema, int messages, int rounds, Report report) throws Exception {
        var bare = new BareRedrive(schema, messages);
        var waybill = new WaybillRedrive(schema, messages);
        var raw = new RawRedrive(messages);
        var bareToRaw = Rounds.pairs("bare tables", rounds, bare::rate, () -> raw.rate(bus -> {}));
        var toBare =
                Rounds.pairsAsTheyAre("dead letters, bare tables", rounds, () -> waybill.rate(bus -> {}), bare::rate);
        report.detail("ratio of two bare tables to raw SDK", bareToRaw.ratio());
        report.figure("ratioToBareTables", toBare.ratio(), Target.atLeast(BARE_TARGET));
        report.detail("two bare tables, msg/s", bareToRaw.first());
    }

    private static void acknowledgeLate(EmbeddedServiceBus bus) {
        bus.faults().at(FaultPoint.STORED_BEFORE_ACK).then(FaultAction.delay(REMOTE_DELAY));
        bus.faults().at(FaultPoint.SETTLED_BEFORE_ACK).then(FaultAction.delay(REMOTE_DELAY));
    }
}
