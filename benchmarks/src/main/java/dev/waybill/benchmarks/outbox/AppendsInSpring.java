package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.benchmarks.outbox.Writers.Transaction;
import dev.waybill.outbox.Outbox;
import dev.waybill.spring.SpringCurrentTransaction;
import java.sql.Connection;
import java.util.List;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Measures an append in a transaction of Spring's against one through a plain connection. */
public final class AppendsInSpring {
    private static final double TARGET = 0.85;

    private AppendsInSpring() {}

    /** Reports the ratio under this key. */
    public static void measure(Environment environment, Scale scale, Report report, String key) throws Exception {
        report.note("Spring: select for update, update, insert, insert, and outbox.append(message) in a transaction of"
                + " JdbcTransactionManager, against the same through a plain connection");
        try (OutboxSchema schema = environment.newSchema()) {
            var business = new Business(schema);
            var pool = schema.pool("writers", 1);
            var manager = new JdbcTransactionManager(pool);
            Outbox joining = Outbox.builder()
                    .schema(schema.name())
                    .transactions(SpringCurrentTransaction.of(pool, List.of(manager)))
                    .build();
            Transaction<Connection> alone = new JdbcBusiness(schema)::typical;
            Transaction<Connection> joined =
                    alone.then((tx, account, reference) -> business.append(joining, account, reference));
            Writers<Connection> own = Writers.of(pool);
            Writers<Connection> spring = Writers.of(new TransactionTemplate(manager), pool);
            int millis = WriterBenchmark.millis(scale);
            var pairs = Rounds.pairs(
                    "writer Spring",
                    WriterBenchmark.rounds(scale),
                    () -> spring.rate(1, millis, joined),
                    () -> own.rate(1, millis, alone.then(business::append)));
            report.figure(key, pairs.ratio(), Target.atLeast(TARGET));
            report.detail("Typical1 in Spring's transactions, tx/s", pairs.first());
            report.detail("Typical1 by a plain connection, tx/s", pairs.second());
        }
    }
}
