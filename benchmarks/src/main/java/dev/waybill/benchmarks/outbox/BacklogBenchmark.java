package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;

/** Whether a row costs the server more when many wait behind it. */
public final class BacklogBenchmark implements Benchmark {
    private static final double TARGET = 1.3;

    @Override
    public String name() {
        return "backlog";
    }

    @Override
    public String summary() {
        return "server CPU per row drained: backlog of 1,000,000 against 10,000";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        int deepRows = scale.choose(1_000_000, 1_000_000, 30_000);
        int shallowRows = 10_000;
        report.note(
                "CPU of the whole server (/proc) from the first shipment to the last, publisher that accepts at once");
        report.note("backlogs of " + deepRows + " and " + shallowRows
                + " rows, drained to the end; a vacuum that begins" + " meanwhile counts");
        report.note("both after vacuum, and with the processor's caches full of something else");
        try (OutboxSchema deep = environment.newSchema();
                OutboxSchema shallow = environment.newSchema()) {
            var deepCost = new DrainCost(deep);
            var shallowCost = new DrainCost(shallow);
            for (int i = 0; i < scale.choose(10, 10, 1); i++) {
                shallowCost.microsPerRow(shallowRows);
            }
            var pairs = Rounds.pairsAsTheyAre(
                    "backlog",
                    scale.choose(5, 2, 1),
                    () -> deepCost.microsPerRow(deepRows),
                    () -> shallowCost.microsPerRow(shallowRows));
            report.figure("cpuPerRow1mTo10k", pairs.ratio(), Target.atMost(TARGET));
            report.detail("1m: CPU per row, us", pairs.first());
            report.detail("10k: CPU per row, us", pairs.second());
            report.detail(
                    "1m of one transaction: CPU per row, us",
                    Spread.once(deepCost.microsPerRowOfOneTransaction(deepRows)));
        }
    }
}
