package dev.waybill.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.relay.Relay;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A backlog after a start: the recorded cursors of its lanes have one snapshot in common, or each its own. */
final class FragmentedDrain {
    private static final int LANES = 32;
    private static final int CONNECTIONS = 6;
    private static final int PATIENCE_SECONDS = 120;
    private static final Duration BROKER = Duration.ofMillis(25);

    // Each statement is a transaction that takes an id, so that the next one's snapshot differs.
    private static final String RECORD = """
            insert into %1$s.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)
            select '%2$s', %3$d, %4$s, (select last_value from %1$s.outbox_message_seq), %5$s,
              (pg_current_xact_id()::text::bigint + 1)::text::xid8
            """;

    private final OutboxSchema schema;
    private final HikariDataSource pool;
    private final int rows;

    FragmentedDrain(OutboxSchema schema, int rows) throws Exception {
        this.schema = schema;
        this.rows = rows;
        pool = schema.pool("relay", CONNECTIONS);
        // A relay that has served every lane once leaves behind what the lanes' cursors are fenced by.
        Backlog.fill(schema, LANES * LANES);
        drain(LANES * LANES);
    }

    double seconds(boolean fragmented) throws Exception {
        schema.dsl().execute("truncate {0}, {1}", schema.table("outbox_message"), schema.table("outbox_progress"));
        for (int bucket = 0; bucket < LANES; bucket++) {
            String snapshot = fragmented
                    ? "pg_current_snapshot()"
                    : "coalesce((select min(snapshot::text)::pg_snapshot from "
                            + schema.name().table("outbox_progress") + "), pg_current_snapshot())";
            schema.dsl().execute(RECORD.formatted(schema.name(), Backlog.DESTINATION, bucket, epoch(bucket), snapshot));
        }
        Backlog.fill(schema, rows);
        return drain(rows);
    }

    private String epoch(int bucket) {
        boolean byLane = (boolean)
                schema.dsl().fetchValue("select to_regclass('" + schema.name().table("outbox_lane") + "') is not null");
        return byLane
                ? "coalesce((select max(epoch) from %s where destination = '%s' and bucket = %d), 0)"
                        .formatted(schema.name().table("outbox_lane"), Backlog.DESTINATION, bucket)
                : "(select epoch from %s where bucket = %d)"
                        .formatted(schema.name().table("outbox_lease"), bucket);
    }

    private double drain(int expected) throws Exception {
        var published = new Semaphore(0);
        var relay = Relay.builder(pool)
                .schema(schema.name())
                .destination(Backlog.DESTINATION)
                .publisher(new DelayedPublisher(BROKER, sent -> published.release(sent.size())))
                .build();
        try (relay) {
            var watch = Stopwatch.start();
            relay.start();
            if (!published.tryAcquire(expected, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new TimeoutException("The relay has not drained " + expected + " rows");
            }
            return watch.seconds();
        }
    }
}
