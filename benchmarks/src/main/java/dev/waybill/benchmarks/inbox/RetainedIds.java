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
import dev.waybill.inbox.InboxMaintenance;
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
            cleanUp(full, many, () -> into.rate(recordFull), pairs.first(), "large", report);
        }
    }

    /**
     * Measures {@code ratioBeyondBuffersTo10k}: the same on a server whose buffers hold a small part of the large table, so that
     * most ids, and all of clean-up, cost a page that must be fetched from the system's cache or the disk.
     */
    public static void measureBeyondBuffers(Environment environment, Scale scale, Report report) throws Exception {
        int many = scale.choose(10_000_000, 2_000_000, 20_000);
        int buffers = scale.choose(128, 32, 32);
        boolean smoke = scale == Scale.SMOKE;
        try (Environment own = environment.withBuffers(buffers);
                OutboxSchema few = (smoke ? environment : own).newSchema();
                OutboxSchema full = (smoke ? environment : own).newSchema()) {
            fill(few, FEW);
            fill(full, many);
            var beside = inserters(few, scale);
            var into = inserters(full, scale);
            Inserters.Transaction recordFew = record(few);
            Inserters.Transaction recordFull = record(full);
            var pairs = Rounds.pairs(
                    "inbox, " + many + " ids beyond the buffers to " + FEW,
                    scale.choose(7, 3, 1),
                    () -> into.rate(recordFull),
                    () -> beside.rate(recordFew));
            report.figure("ratioBeyondBuffersTo10k", pairs.ratio(), Target.NONE);
            report.detail("beyond buffers, table with its key, MB", Spread.count(megabytes(full)));
            report.detail("beyond buffers, shared_buffers, MB", Spread.count(buffersOf(full)));
            report.detail("beyond buffers, recorded/s", pairs.first());
            report.detail("beyond buffers, small table, recorded/s", pairs.second());
            report.detail("beyond buffers, pages fetched per id", Spread.once(pagesPerId(full, into, recordFull)));
            cleanUp(full, many, () -> into.rate(recordFull), pairs.first(), "beyond buffers", report);
        }
    }

    // Blocks that the server had not in its buffers; whether the system had it in its cache, the server cannot say.
    // Its processes report pages and rows together and late, so the quotient is right although both are old.
    private static double pagesPerId(OutboxSchema schema, Inserters inserters, Inserters.Transaction record)
            throws Exception {
        long pages = pagesFetched(schema);
        long rows = rowsOf(schema);
        inserters.rate(record);
        return (pagesFetched(schema) - pages) / (double) Math.max(1, rowsOf(schema) - rows);
    }

    private static long pagesFetched(OutboxSchema schema) {
        return number(
                schema,
                "select heap_blks_read + coalesce(idx_blks_read, 0) from pg_statio_user_tables"
                        + " where relid = {0}::regclass");
    }

    private static long rowsOf(OutboxSchema schema) {
        return number(schema, "select n_tup_ins from pg_stat_user_tables where relid = {0}::regclass");
    }

    private static long number(OutboxSchema schema, String sql) {
        return ((Number) schema.dsl().fetchValue(sql, DSL.val(schema.name().table("inbox_message")))).longValue();
    }

    private static long buffersOf(OutboxSchema schema) {
        return ((Number) schema.dsl()
                                .fetchValue(
                                        "select setting::bigint * 8192 from pg_settings where name = 'shared_buffers'"))
                        .longValue()
                >> 20;
    }

    private static void cleanUp(
            OutboxSchema schema, int ids, Rounds.Measurement recording, Spread alone, String name, Report report)
            throws Exception {
        schema.dsl()
                .execute(
                        "insert into {0} (name, alive_since) values ({1}, now() - interval '2 days')",
                        schema.table("inbox_consumer"), DSL.val(CONSUMER));
        var pool = schema.pool("prune", 1);
        var watch = Stopwatch.start();
        var pruning = CompletableFuture.supplyAsync(() -> {
            InboxMaintenance.in(pool, schema.name()).prune(CONSUMER, RETENTION, false);
            return watch.rate(ids);
        });
        double beside = recording.measure();
        report.detail(name + ", ids removed by clean-up beside recording, per second", Spread.once(pruning.get()));
        report.detail(name + ", recorded/s beside clean-up, of without", Spread.once(beside / alone.median()));
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
