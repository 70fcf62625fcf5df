package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.database.ConsumerView.Held;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Reads consumers with the grants of {@code Role.READONLY} or {@code Role.RELAY}. Thread-safe. */
final class ConsumerReader {
    /** Bounds the metrics query, which runs every few seconds. */
    private static final Long MOST_DEFERRALS = 50_000L;

    private final DSLContext dsl;
    private final SchemaName schema;

    ConsumerReader(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    List<ConsumerView> all() {
        return read(false, null, true);
    }

    /** Every consumer with data. Counts at most 50,000 deferrals and no held messages. */
    List<ConsumerView> counted() {
        return read(false, MOST_DEFERRALS, false);
    }

    /** Every consumer that was active within a week or has a hold. Counts at most 50,000 deferrals. */
    List<ConsumerView> lately() {
        return read(true, MOST_DEFERRALS, true);
    }

    private List<ConsumerView> read(boolean lately, @Nullable Long mostDeferrals, boolean messages) {
        return dsl.fetch(
                        CONSUMERS.formatted(schema), val(lately), val(mostDeferrals, SQLDataType.BIGINT), val(messages))
                .map(row -> new ConsumerView(
                        row.get("name", String.class),
                        row.get("instances", Long.class),
                        row.get("vanished", Long.class),
                        Optional.ofNullable(row.get("last_alive", OffsetDateTime.class))
                                .map(OffsetDateTime::toInstant),
                        new Held(
                                row.get("holds", Long.class),
                                row.get("parked", Long.class),
                                row.get("messages", Long.class),
                                row.get("deferrals", Long.class),
                                row.get("forgotten", Long.class))));
    }

    private static final String CONSUMERS = """
            with held as (
              select consumer as name, count(*) as holds, count(*) filter (where state = 'parked') as parked,
                sum(case when {2} then (select count(*) from %1$s.inbox_held_message x where x.hold_id = h.id) end)::bigint as messages
              from %1$s.inbox_hold h group by consumer
            ), instances as (
              select consumer as name, count(*) filter (where alive_until > clock_timestamp()) as instances,
                count(*) filter (where alive_until <= clock_timestamp()) as vanished, max(alive_until) as last_alive
              from %1$s.inbox_instance group by consumer
            ), names as (
              select name from held
              union select name from %1$s.inbox_consumer
                where not {0} or alive_until > clock_timestamp() - interval '7 days'
              union select name from instances where not {0}
              union select consumer from %1$s.inbox_deferral where not {0}
            )
            select n.name, coalesce(i.instances, 0) as instances,
              coalesce(i.vanished, 0) as vanished, greatest(i.last_alive, c.alive_until) as last_alive,
              coalesce(h.holds, 0) as holds, coalesce(h.parked, 0) as parked, coalesce(h.messages, 0) as messages,
              d.deferrals, d.forgotten
            from names n left join held h using (name) left join instances i using (name)
            left join %1$s.inbox_consumer c using (name)
            cross join lateral (
              select count(*) as deferrals, count(*) filter (
                where resume_at is null and deferred_at < clock_timestamp() - interval '1 day') as forgotten
              from (select resume_at, deferred_at from %1$s.inbox_deferral where consumer = n.name limit {1}) x) d
            order by n.name
            """;
}
