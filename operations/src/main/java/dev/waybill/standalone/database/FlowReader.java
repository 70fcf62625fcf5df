package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Counts what was published and appended lately: rows between the position that a lane had then and the one that it has now,
 * and rows created since. Rows that the ring has dropped within the window are not counted, so above some ten thousand
 * messages a second the figures are too low. Thread-safe.
 */
final class FlowReader {
    static final Duration WINDOW = Duration.ofSeconds(10);

    private final DSLContext dsl;
    private final SchemaName schema;

    FlowReader(DataSource dataSource, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    Map<String, Flow> read(Collection<String> destinations) {
        var flows = new HashMap<String, Flow>();
        double seconds = WINDOW.toMillis() / 1_000.0;
        for (var row :
                dsl.fetch(COUNTS.formatted(schema), val(destinations.toArray(String[]::new)), val(WINDOW.toMillis()))) {
            flows.put(
                    row.get("destination", String.class),
                    new Flow(row.get("published", Long.class) / seconds, row.get("appended", Long.class) / seconds));
        }
        return flows;
    }

    // A lane without a record that is old enough is new, or the ring of records came round: in a ring that has
    // never come round the lane began at 0.
    private static final String COUNTS = """
            with past as materialized (
              select clock_timestamp() - {1} * interval '1 millisecond' as at,
                (select coalesce(min(id), 0) < 8192 from %1$s.outbox_progress) as complete
            ), lanes as (
              select n.destination, b.bucket::smallint as bucket, c.position as reached, t.at,
                coalesce(earlier.position, case when not t.complete then oldest.position end, 0) as began
              from past t cross join unnest({0}) as n(destination) cross join generate_series(0, 31) as b(bucket)
              left join %1$s.outbox_cursor c on c.destination = n.destination and c.bucket = b.bucket
              left join lateral (
                select p.position from %1$s.outbox_progress p
                where p.destination = n.destination and p.bucket = b.bucket and p.recorded_at <= t.at
                order by p.epoch desc, p.position desc, p.id desc limit 1) earlier on true
              left join lateral (
                select p.position from %1$s.outbox_progress p
                where p.destination = n.destination and p.bucket = b.bucket
                order by p.epoch, p.position, p.id limit 1) oldest on true
            )
            select l.destination, sum(gone.number)::bigint as published, sum(come.number)::bigint as appended
            from lanes l
            cross join lateral (
              select count(*) as number from %1$s.outbox_message m
              where m.destination = l.destination and %1$s.outbox_bucket(m.session_id, m.message_id) = l.bucket
                and m.seq > l.began and m.seq <= l.reached) gone
            cross join lateral (
              select count(*) as number from %1$s.outbox_message m
              where m.destination = l.destination and %1$s.outbox_bucket(m.session_id, m.message_id) = l.bucket
                and m.seq > coalesce((
                  select o.seq from %1$s.outbox_message o
                  where o.destination = l.destination and %1$s.outbox_bucket(o.session_id, o.message_id) = l.bucket
                    and o.created_at <= l.at
                  order by o.seq desc limit 1), 0)) come
            group by l.destination
            """;
}
