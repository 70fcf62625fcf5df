package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Target;
import java.util.function.Function;

/** Measures the cost of a message for server and client under a steady load, beside a simple outbox. */
public final class CostBenchmark implements Benchmark {
    private static final double SERVER_500_TARGET = 0.9;
    private static final double SERVER_1000_TARGET = 0.8;
    private static final double CLIENT_500_TARGET = 1.0;
    private static final double P50_TARGET = 5;
    private static final double P99_TARGET = 25;
    private static final double PINNED_TARGET = 1.15;
    private static final double PINNED_BY_WRITER_TARGET = 1.3;
    private static final double READ_TARGET = 5;
    private static final int PINNED_RATE = 1_000;

    @Override
    public String name() {
        return "cost";
    }

    @Override
    public String summary() {
        return "CPU per message at 50, 500 and 1,000/s beside a plain poller; beside old transactions and dead rows";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        report.note(
                "CPU above that of the same business transactions alone, in us per message; whole server (/proc) and"
                        + " this whole process; a round is the mean of short turns of all sides, in changing order");
        report.note(
                "autovacuum stays away from the tables meanwhile; a vacuum of each side's table after each round counts for that"
                        + " side's messages, an analyze does not");
        report.note("business transaction: one insert; message 1 KiB; " + CostLoad.WRITERS
                + " writers; the relay hears of each commit and stays on, also while the others are measured; a publisher that"
                + " only counts");
        report.note(
                "the ratios are of appends through the transaction's connection, at once; those that travel with the COMMIT"
                        + " (Outbox.inTransaction, by an outbox that knows the relay) are in the details");
        report.note(
                "plain poller: 100 rows for update skip locked, deleted after the publish in the same transaction; looks"
                        + " at once after a full batch, else after 10 ms");
        try (OutboxSchema schema = environment.newSchema();
                var comparison = new CostComparison(schema, scale)) {
            comparison.warmUp();
            CostComparison.Figures atMost = comparison.at(scale.choose(1_000, 1_000, 100));
            CostComparison.Figures middle = comparison.at(scale.choose(500, 500, 50));
            CostComparison.Figures few = comparison.at(50);
            report.figure("serverRatioToPlainPoller500", middle.serverRatio(), Target.atMost(SERVER_500_TARGET));
            report.figure("serverRatioToPlainPoller1000", atMost.serverRatio(), Target.atMost(SERVER_1000_TARGET));
            report.figure("clientRatioToPlainPoller500", middle.clientRatio(), Target.atMost(CLIENT_500_TARGET));
            report.figure("p50Millis500", middle.p50Millis(), Target.atMost(P50_TARGET));
            report.figure("p99Millis500", middle.p99Millis(), Target.atMost(P99_TARGET));
            pinned(environment, scale, report);
            report.figure(
                    "millisReadTwoMillionDead",
                    new ReadBesideDead(environment, scale).millis(report),
                    Target.atMost(READ_TARGET));
            comparison.describeMaintenance(report);
            atMost.describe(report, "1,000/s");
            middle.describe(report, "500/s");
            few.describe(report, "50/s");
        }
    }

    private static void pinned(Environment environment, Scale scale, Report report) throws Exception {
        int rate = scale.choose(PINNED_RATE, PINNED_RATE, 100);
        int before = scale.choose(60, 15, 1);
        int seconds = scale.choose(10, 5, 1);
        report.note("pinned: " + rate + "/s, measured for " + seconds + " s after " + before
                + " s beside a REPEATABLE READ transaction that has read no table; by a writer: beside one that has written"
                + " a row elsewhere");
        Function<ForeignTransaction, PinnedCost> cost =
                foreign -> new PinnedCost(environment, scale, rate, before, seconds, foreign);
        PinnedCost free = cost.apply(ForeignTransaction.NONE);
        int rounds = scale.choose(3, 2, 1);
        var reader = Rounds.pairsAsTheyAre(
                "cost pinned / free",
                rounds,
                cost.apply(ForeignTransaction.READER)::microsPerMessage,
                free::microsPerMessage);
        var writer = Rounds.pairsAsTheyAre(
                "cost pinned by a writer / free",
                rounds,
                cost.apply(ForeignTransaction.WRITER)::microsPerMessage,
                free::microsPerMessage);
        report.figure("pinnedToFree", reader.ratio(), Target.atMost(PINNED_TARGET));
        report.figure("pinnedByWriterToFree", writer.ratio(), Target.atMost(PINNED_BY_WRITER_TARGET));
        report.detail("pinned: server CPU per message with business, us", reader.first());
        report.detail("pinned by a writer: the same", writer.first());
        report.detail("free: the same", reader.second());
    }
}
