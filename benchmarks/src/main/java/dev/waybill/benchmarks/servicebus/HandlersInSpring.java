package dev.waybill.benchmarks.servicebus;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.inbox.Ledger;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.spring.SpringTransactions;
import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Measures handlers in Spring's transactions against those in the consumer's own. */
public final class HandlersInSpring {
    private static final double TARGET = 0.85;

    private HandlersInSpring() {}

    /** Reports the ratio under this key. */
    public static void measure(Environment environment, Scale scale, Report report, String key) throws Exception {
        try (OutboxSchema schema = environment.newSchema()) {
            var ledger = new Ledger(schema);
            DataSource pool = schema.pool("spring", 2 * InboxBenchmark.SESSIONS + InboxBenchmark.SPARE_CONNECTIONS);
            var boundary = SpringTransactions.of(new JdbcTransactionManager(pool), pool);
            var own = new ConsumerRun(schema, pool, ledger, 1, null);
            var springs = new ConsumerRun(schema, pool, ledger, 1, boundary);
            var load = new SessionLoad(InboxBenchmark.SESSIONS, InboxBenchmark.perSession(scale));
            var pairs = Rounds.pairs(
                    "inbox in Spring's transactions",
                    scale.choose(9, 5, 1),
                    () -> springs.rate(load),
                    () -> own.rate(load));
            report.figure(key, pairs.ratio(), Target.atLeast(TARGET));
            report.detail("in Spring's transactions, msg/s", pairs.first());
            report.detail("in the consumer's own, msg/s", pairs.second());
        }
    }
}
