package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;

/** Measures the cost of an hour-long report in the same database for a steadily working outbox. */
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
        int rounds = scale.choose(5, 3, 1);
        int seconds = scale.choose(120, 20, 1);
        int rate = scale.choose(1_000, 1_000, 100);
        report.note("business transaction: one insert and the append, so only Waybill's tables can bloat");
        report.note(rounds + " rounds of " + seconds + " s each at " + rate
                + " transactions/s; CPU of the whole server; peaks of samples");
        var free = new Side(environment, seconds, rate, false);
        var pinned = new Side(environment, seconds, rate, true);
        var pairs = Rounds.pairsAsTheyAre("steady pinned / free", rounds, pinned::measure, free::measure);
        report.figure("cpuPinnedToFree", pairs.ratio(), Target.atMost(TARGET));
        report.figure("deadTuplesPinned", Spread.count(pinned.peaks.deadMessages()), Target.NONE);
        report.figure("tableBytesPeak", Spread.count(free.peaks.or(pinned.peaks).bytes()), Target.NONE);
        report.detail("free: server CPU per message, us", pairs.second());
        report.detail("pinned: server CPU per message, us", pairs.first());
        describe(report, "free", free.peaks);
        describe(report, "pinned", pinned.peaks);
    }

    private static void describe(Report report, String side, TableWatch.Peaks peaks) {
        report.detail(side + ": dead tuples, outbox_message", Spread.count(peaks.deadMessages()));
        report.detail(side + ": dead tuples, leases", Spread.count(peaks.deadLeases()));
        report.detail(side + ": peak bytes of all tables", Spread.count(peaks.bytes()));
    }

    /** With or without the old snapshot: new tables for each round, the peaks of all. */
    private static final class Side {
        private final Environment environment;
        private final int seconds;
        private final int rate;
        private final boolean beside;
        private TableWatch.Peaks peaks = TableWatch.Peaks.NONE;

        Side(Environment environment, int seconds, int rate, boolean beside) {
            this.environment = environment;
            this.seconds = seconds;
            this.rate = rate;
            this.beside = beside;
        }

        double measure() throws Exception {
            try (OutboxSchema schema = environment.newSchema()) {
                var load = new SteadyLoad(schema, seconds, rate);
                var outcome = beside ? load.runBesideOldSnapshot() : load.run();
                peaks = peaks.or(outcome.peaks());
                return outcome.cpuMicrosPerMessage();
            }
        }
    }
}
