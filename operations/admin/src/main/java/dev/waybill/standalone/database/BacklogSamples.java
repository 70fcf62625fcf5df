package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * The number of pending messages in each minute of the last hour. The first relay of a minute writes the row. Writing needs the
 * grants of {@code Role.RELAY}, reading those of {@code Role.READONLY}. Thread-safe.
 */
public final class BacklogSamples {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final DSLContext dsl;
    private final SchemaName schema;
    private final LongSupplier nanos;
    private long next;

    /** Opens the samples of a schema; the clock limits writes. */
    public BacklogSamples(DataSource pool, SchemaName schema, LongSupplier nanos) {
        this.dsl = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), schema);
        this.schema = schema;
        this.nanos = nanos;
        next = nanos.getAsLong();
    }

    public record Sample(int minutesAgo, long pending) {}

    /** Writes a sample at most once a minute; returns whether it wrote. */
    public boolean keep(Collection<DestinationView> destinations) {
        if (!isDue()) {
            return false;
        }
        dsl.execute(
                KEEP.formatted(schema),
                val(destinations.stream().map(DestinationView::name).toArray(String[]::new)),
                val(destinations.stream().map(DestinationView::pending).toArray(Long[]::new)),
                val(destinations.stream().map(DestinationView::oldestAgeSeconds).toArray(Double[]::new)));
        dsl.execute("delete from %s.outbox_sample where at < clock_timestamp() - interval '1 day'".formatted(schema));
        return true;
    }

    private synchronized boolean isDue() {
        long now = nanos.getAsLong();
        if (now - next < 0) {
            return false;
        }
        next = now + MINUTE_NANOS;
        return true;
    }

    /** The samples by destination, the earliest first. Minutes without a relay are missing. */
    public Map<String, List<Sample>> lastHour() {
        return dsl.fetch(LAST_HOUR.formatted(schema)).stream()
                .collect(Collectors.groupingBy(
                        row -> row.get("destination", String.class),
                        Collectors.mapping(
                                row -> new Sample(row.get("ago", Integer.class), row.get("pending", Long.class)),
                                Collectors.toList())));
    }

    // Relays write in the order of names, which excludes deadlocks.
    private static final String KEEP = """
            insert into %1$s.outbox_sample (destination, minute, at, pending, oldest_seconds)
            select n.destination, extract(minute from t.at at time zone 'UTC')::smallint, t.at, n.pending, n.oldest
            from unnest({0}, {1}, {2}) as n(destination, pending, oldest), (select clock_timestamp() as at) t
            order by n.destination
            on conflict (destination, minute) do update
            set at = excluded.at, pending = excluded.pending, oldest_seconds = excluded.oldest_seconds
            where outbox_sample.at < excluded.at - interval '30 minutes'
            """;

    private static final String LAST_HOUR = """
            select destination, pending,
              extract(epoch from date_trunc('minute', t.now) - date_trunc('minute', s.at))::integer / 60 as ago
            from %1$s.outbox_sample s, (select clock_timestamp() as now) t
            where s.at > date_trunc('minute', t.now) - interval '59 minutes' and s.at <= t.now
            order by destination, at
            """;
}
