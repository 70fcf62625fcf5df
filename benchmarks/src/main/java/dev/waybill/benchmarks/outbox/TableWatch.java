package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jooq.Record;
import org.jooq.impl.DSL;

/** Looks at Waybill's tables once a second and remembers the most of everything. */
final class TableWatch implements AutoCloseable {
    private static final String LOOK = """
            select
              sum(n_dead_tup) filter (where relname like 'outbox\\_message%') as messages,
              sum(n_dead_tup) filter (where relname in ('outbox_destination', 'relay')) as leases,
              sum(pg_total_relation_size(relid)) filter (where relname like 'outbox\\_%') as bytes
            from pg_stat_user_tables where schemaname = {0}
            """;

    private final OutboxSchema schema;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private Peaks peaks = Peaks.NONE;

    private TableWatch(OutboxSchema schema) {
        this.schema = schema;
    }

    static TableWatch start(OutboxSchema schema) {
        var watch = new TableWatch(schema);
        var unused = watch.timer.scheduleAtFixedRate(watch::look, 0, 1, TimeUnit.SECONDS);
        return watch;
    }

    /** A last look. */
    Peaks stop() {
        look();
        return peaks;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private synchronized void look() {
        Record row = schema.dsl().fetchSingle(LOOK, DSL.val(schema.name().value()));
        peaks = peaks.or(new Peaks(
                row.get("messages", long.class), row.get("leases", long.class), row.get("bytes", long.class)));
    }

    /** The most seen of each; dead tuples are the server's own count. */
    record Peaks(long deadMessages, long deadLeases, long bytes) {
        static final Peaks NONE = new Peaks(0, 0, 0);

        Peaks or(Peaks other) {
            return new Peaks(
                    Math.max(deadMessages, other.deadMessages),
                    Math.max(deadLeases, other.deadLeases),
                    Math.max(bytes, other.bytes));
        }
    }
}
