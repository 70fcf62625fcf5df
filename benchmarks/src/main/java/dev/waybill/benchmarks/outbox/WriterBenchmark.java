package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.benchmarks.outbox.Writers.Transaction;
import dev.waybill.outbox.Outbox;
import java.sql.Connection;
import org.jooq.DSLContext;

/** Measures the cost of an append for the transaction it belongs to. */
public final class WriterBenchmark implements Benchmark {
    private static final int MANY = 20;
    private static final double TYPICAL_TARGET = 0.85;
    private static final double JDBC_TARGET = 0.80;

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
        report.note(
                "Jdbc: business and append through a plain connection of the pool, the append in a round trip of its own");
        report.note("typical: select for update, update, insert, insert; minimal: one insert; HikariCP and jOOQ");
        report.note("the append travels with the COMMIT (Outbox.inTransaction); the details have it at once, too");
        try (OutboxSchema schema = environment.newSchema()) {
            var business = new Business(schema);
            var pool = schema.pool("writers", MANY);
            var dsl = OutboxSchema.dsl(pool);
            var atCommit = Outbox.builder(dsl).schema(schema.name()).build();
            var run = new Run(Writers.of(dsl), Writers.of(atCommit), business, scale, report);
            run.compare("Typical1", 1, business::typical, Target.atLeast(TYPICAL_TARGET));
            compareJdbc(schema, Writers.of(pool), business, scale, report);
            run.compare("Typical20", MANY, business::typical, Target.NONE);
            run.compare("Minimal1", 1, business::minimal, Target.NONE);
        }
        AppendsInSpring.measure(environment, scale, report, "ratioSpringToOwn");
    }

    private static void compareJdbc(
            OutboxSchema schema, Writers<Connection> writers, Business business, Scale scale, Report report)
            throws Exception {
        Transaction<Connection> alone = new JdbcBusiness(schema)::typical;
        Transaction<Connection> withOutbox = alone.then(business::append);
        int millis = millis(scale);
        var pairs = Rounds.pairs(
                "writer TypicalJdbc1",
                rounds(scale),
                () -> writers.rate(1, millis, withOutbox),
                () -> writers.rate(1, millis, alone));
        report.figure("ratioTypicalJdbc1", pairs.ratio(), Target.atLeast(JDBC_TARGET));
        report.detail("TypicalJdbc1 with outbox, tx/s", pairs.first());
        report.detail("TypicalJdbc1 business only, tx/s", pairs.second());
    }

    static int rounds(Scale scale) {
        return scale.choose(11, 5, 1);
    }

    static int millis(Scale scale) {
        return scale.choose(2_000, 700, 100);
    }

    private record Run(
            Writers<DSLContext> atOnce, Writers<DSLContext> atCommit, Business business, Scale scale, Report report) {
        void compare(String name, int threads, Transaction<DSLContext> alone, Target target) throws Exception {
            Transaction<DSLContext> withOutbox = alone.then(business::append);
            var pairs = pairs(name, threads, atCommit, withOutbox, alone);
            report.figure("ratio" + name, pairs.ratio(), target);
            report.detail(name + " with outbox, tx/s", pairs.first());
            report.detail(name + " business only, tx/s", pairs.second());
            report.detail(
                    name + " appended at once, ratio",
                    pairs(name + ", at once", threads, atOnce, withOutbox, alone)
                            .ratio());
        }

        private Rounds.Pairs pairs(
                String name,
                int threads,
                Writers<DSLContext> writers,
                Transaction<DSLContext> withOutbox,
                Transaction<DSLContext> alone)
                throws Exception {
            int millis = millis(scale);
            return Rounds.pairs(
                    "writer " + name,
                    rounds(scale),
                    () -> writers.rate(threads, millis, withOutbox),
                    () -> atOnce.rate(threads, millis, alone));
        }
    }
}
