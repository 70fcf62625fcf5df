package dev.waybill.benchmarks.inbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxUpkeep;
import dev.waybill.inbox.Retention;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jooq.impl.DSL;

/** How fast ids are recorded when there are many already. */
public final class RetainedIds {
    private static final String CONSUMER = "ledger";
    private static final Retention RETENTION =
            new Retention(Duration.ofDays(30), Duration.ofDays(14), Duration.ZERO, Duration.ofDays(14));
    private static final int FEW = 10_000;
    private static final int THREADS = 4;
    private static final double TARGET = 0.8;

    private RetainedIds() {}

    /** Measures {@code ratio10mTo10k}. */
    public static void measure(Environment environment, Scale scale, Report report) throws Exception {
        int many = scale.choose(10_000_000, 1_000_000, 20_000);
        try (OutboxSchema few = environment.newSchema();
                OutboxSchema full = environment.newSchema()) {
            fill(full, many);
            var beside = inserters(few, scale);
            var into = inserters(full, scale);
            Inserters.Transaction recordFew = record(few);
            Inserters.Transaction recordFull = record(full);
            var pairs = Rounds.pairs(
                    "inbox, " + many + " ids to " + FEW, scale.choose(7, 5, 1), () -> into.rate(recordFull), () -> {
                        few.dsl().execute("truncate {0}", few.table("inbox_message"));
                        fill(few, FEW);
                        return beside.rate(recordFew);
                    });
            report.figure("ratio10mTo10k", pairs.ratio(), Target.atLeast(TARGET));
            report.detail("ids retained in the large table", Spread.count(many));
            report.detail("large table with its key, MB", Spread.count(megabytes(full)));
            report.detail("large, recorded/s", pairs.first());
            report.detail("small, recorded/s", pairs.second());
            full.dsl().execute("checkpoint");
            report.detail("large, recorded/s right after a checkpoint", Spread.once(into.rate(recordFull)));
            cleanUp(full, many, () -> into.rate(recordFull), pairs.first(), report);
        }
    }

    private static void cleanUp(OutboxSchema schema, int ids, Rounds.Measurement recording, Spread alone, Report report)
            throws Exception {
        schema.dsl()
                .execute(
                        "insert into {0} (name, alive_since) values ({1}, now() - interval '2 days')",
                        schema.table("inbox_consumer"), DSL.val(CONSUMER));
        var pool = schema.pool("prune", 1);
        var watch = Stopwatch.start();
        var pruning = CompletableFuture.supplyAsync(() -> {
            InboxUpkeep.in(pool, schema.name()).prune(CONSUMER, RETENTION, false);
            return watch.rate(ids);
        });
        double beside = recording.measure();
        report.detail("ids removed by clean-up beside that, per second", Spread.once(pruning.get()));
        report.detail("large, recorded/s beside clean-up, of without", Spread.once(beside / alone.median()));
    }

    private static Inserters inserters(OutboxSchema schema, Scale scale) {
        return new Inserters(schema.pool("recorder", THREADS), THREADS, scale.choose(2_000, 1_500, 100));
    }

    private static Inserters.Transaction record(OutboxSchema schema) {
        Inbox inbox = Inbox.in(schema.name());
        return (connection, id) -> {
            if (!inbox.firstTime(connection, CONSUMER, id)) {
                throw new IllegalStateException("'" + id + "' was there already");
            }
        };
    }

    /** Random keys, and pages as full as an index has them that has grown at random. */
    static void fill(OutboxSchema schema, int ids) {
        String table = schema.name().table("inbox_message");
        schema.runScript("alter table " + table + " drop constraint inbox_message_pkey");
        schema.dsl()
                .execute(
                        "insert into " + table + " (key, consumer, message_id, handled_at)"
                                + " select gen_random_uuid(), 'ledger', 'retained-' || n, now() - interval '60 days'"
                                + " from generate_series(1, {0}) n",
                        DSL.val(ids));
        schema.runScript("alter table " + table + " add primary key (key) with (fillfactor = 70)");
        schema.runScript("vacuum (analyze) " + table);
    }

    private static long megabytes(OutboxSchema schema) {
        return ((Number) schema.dsl()
                                .fetchValue(
                                        "select pg_total_relation_size({0}::regclass)",
                                        DSL.val(schema.name().table("inbox_message"))))
                        .longValue()
                >> 20;
    }
}
