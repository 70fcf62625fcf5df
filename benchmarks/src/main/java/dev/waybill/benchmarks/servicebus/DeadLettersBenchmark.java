package dev.waybill.benchmarks.servicebus;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Target;

/** What it costs to bring dead letters home and back, against receiving and sending them and hoping for the best. */
public final class DeadLettersBenchmark implements Benchmark {
    private static final double TARGET = 0.5;

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
            var pairs = Rounds.pairs("dead letters", rounds, waybill::rate, raw::rate);
            report.figure("ratioToRawSdk", pairs.ratio(), Target.atLeast(TARGET));
            report.detail("collected and re-driven, msg/s", pairs.first());
            report.detail("raw SDK, msg/s", pairs.second());
        }
    }
}
