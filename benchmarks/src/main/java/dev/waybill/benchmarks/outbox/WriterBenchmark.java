package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.benchmarks.outbox.Writers.Transaction;
import org.jooq.impl.DSL;

/** What an append costs the transaction it belongs to. */
public final class WriterBenchmark implements Benchmark {
    private static final int MANY = 20;
    private static final double TYPICAL_TARGET = 0.80;

    @Override
    public String name() {
        return "writer";
    }

    @Override
    public String summary() {
        return "business transactions with an outbox append of 1 KiB against the same without";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        report.note("typical: select for update, update, insert, insert; minimal: one insert; HikariCP and jOOQ");
        report.note("the append travels with the COMMIT (Outbox.appendingAtCommit); the details have it at once, too");
        try (OutboxSchema schema = environment.newSchema()) {
            var business = new Business(schema);
            var dsl = OutboxSchema.dsl(schema.pool("writers", MANY));
            var configuration = dsl.configuration();
            var atCommit = DSL.using(
                    configuration.derive(schema.outbox().appendingAtCommit(configuration.connectionProvider())));
            var run = new Run(new Writers(dsl), new Writers(atCommit), business, scale, report);
            run.compare("Typical1", 1, business::typical, Target.atLeast(TYPICAL_TARGET));
            run.compare("Typical20", MANY, business::typical, Target.NONE);
            run.compare("Minimal1", 1, business::minimal, Target.NONE);
        }
    }

    private record Run(Writers atOnce, Writers atCommit, Business business, Scale scale, Report report) {
        void compare(String name, int threads, Transaction alone, Target target) throws Exception {
            Transaction withOutbox = alone.then(business::append);
            var pairs = pairs(name, threads, atCommit, withOutbox, alone);
            report.figure("ratio" + name, pairs.ratio(), target);
            report.detail(name + " with outbox, tx/s", pairs.first());
            report.detail(name + " business only, tx/s", pairs.second());
            report.detail(
                    name + " appended at once, ratio",
                    pairs(name + ", at once", threads, atOnce, withOutbox, alone)
                            .ratio());
        }

        private Rounds.Pairs pairs(String name, int threads, Writers writers, Transaction withOutbox, Transaction alone)
                throws Exception {
            int millis = scale.choose(2_000, 700, 100);
            return Rounds.pairs(
                    "writer " + name,
                    scale.choose(11, 5, 1),
                    () -> writers.rate(threads, millis, withOutbox),
                    () -> atOnce.rate(threads, millis, alone));
        }
    }
}
