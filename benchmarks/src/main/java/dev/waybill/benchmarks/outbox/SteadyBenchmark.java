package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;

/** What an hour-long report somewhere in the database costs a steadily working outbox. */
public final class SteadyBenchmark implements Benchmark {
    private static final double TARGET = 1.2;

    @Override
    public String name() {
        return "steady";
    }

    @Override
    public String summary() {
        return "writers at a fixed rate and one relay, free and beside an old REPEATABLE READ snapshot";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        int seconds = scale.choose(600, 60, 1);
        int rate = scale.choose(1_000, 1_000, 100);
        report.note("business transaction: one insert and the append, so only Waybill's tables can bloat");
        report.note(seconds + " s each at " + rate + " transactions/s; CPU of the whole server; peaks of samples");
        SteadyLoad.Outcome free = run(environment, seconds, rate, false);
        SteadyLoad.Outcome pinned = run(environment, seconds, rate, true);
        double ratio = pinned.cpuMicrosPerMessage() / free.cpuMicrosPerMessage();
        report.figure("cpuPinnedToFree", Spread.once(ratio), Target.atMost(TARGET));
        report.figure("deadTuplesPinned", Spread.count(pinned.peaks().deadTuples()), Target.NONE);
        long bytes = Math.max(free.peaks().bytes(), pinned.peaks().bytes());
        report.figure("tableBytesPeak", Spread.count(bytes), Target.NONE);
        describe(report, "free", free);
        describe(report, "pinned", pinned);
    }

    private static SteadyLoad.Outcome run(Environment environment, int seconds, int rate, boolean pinned)
            throws Exception {
        try (OutboxSchema schema = environment.newSchema()) {
            var load = new SteadyLoad(schema, seconds, rate);
            return pinned ? load.runBesideOldSnapshot() : load.run();
        }
    }

    private static void describe(Report report, String side, SteadyLoad.Outcome outcome) {
        report.detail(side + ": server CPU per message, us", Spread.once(outcome.cpuMicrosPerMessage()));
        report.detail(
                side + ": dead tuples, outbox_message",
                Spread.count(outcome.peaks().deadMessages()));
        report.detail(
                side + ": dead tuples, outbox_progress",
                Spread.count(outcome.peaks().deadProgress()));
        report.detail(
                side + ": dead tuples, leases", Spread.count(outcome.peaks().deadLeases()));
        report.detail(
                side + ": peak bytes of all tables",
                Spread.count(outcome.peaks().bytes()));
    }
}
