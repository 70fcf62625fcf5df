package dev.waybill.standalone.database;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Reads the status of an outbox from its database alone. Needs the grants of {@code Role.READONLY}. Thread-safe.
 */
public final class StatusReader {
    private final String database;
    private final DSLContext dsl;
    private final SchemaName schema;

    /**
     * A reader.
     *
     * @param database what it is called
     */
    public StatusReader(String database, DataSource dataSource, SchemaName schema) {
        this.database = database;
        this.dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    /** The status now. */
    public Status read() {
        return new Status(database, relays(), destinations(), scheduled(), alarms());
    }

    /** The alarms alone. */
    public List<Alarm> alarms() {
        return dsl.fetch(ALARMS.formatted(schema))
                .map(row -> new Alarm(
                        row.get("alarm", String.class),
                        row.get("severity", String.class),
                        optional(row, "destination"),
                        row.get("detail", String.class)));
    }

    /** The destinations that have messages, or that a relay has served. */
    public List<String> destinationNames() {
        return dsl.fetch(NAMES.formatted(schema)).getValues(0, String.class);
    }

    private List<RelayView> relays() {
        return dsl.fetch(RELAYS.formatted(schema))
                .map(row -> new RelayView(
                        row.get("name", String.class),
                        row.get("started_at", OffsetDateTime.class).toInstant(),
                        row.get("alive_until", OffsetDateTime.class).toInstant(),
                        row.get("alive", Boolean.class),
                        row.get("lanes", Integer.class)));
    }

    private List<DestinationView> destinations() {
        return dsl.fetch(DESTINATIONS.formatted(schema))
                .map(row -> new DestinationView(
                        row.get("destination", String.class),
                        row.get("pending", Long.class),
                        row.get("oldest_age_seconds", Double.class),
                        new DestinationView.Held(row.get("holds", Long.class), row.get("held", Long.class)),
                        optional(row, "paused"),
                        optional(row, "refused")));
    }

    private long scheduled() {
        return dsl.fetchSingle("select count(*) from %s.outbox_scheduled".formatted(schema))
                .get(0, Long.class);
    }

    private static Optional<String> optional(Record row, String column) {
        return Optional.ofNullable(row.get(column, String.class));
    }

    private static final String ALARMS = """
            select alarm, severity, destination, detail from %1$s.relay_alarm
            union all
            select alarm, severity, consumer, detail from %1$s.inbox_alarm
            order by severity, alarm, destination
            """;

    // Of those that died, only the ones somebody may still be looking for.
    private static final String RELAYS = """
            select v.name, v.started_at, v.alive_until, v.alive,
              (select count(*)::integer from %1$s.outbox_lane l
               where l.owner = v.id and v.alive and l.destination = any(v.serving)) as lanes
            from %1$s.relay_liveness v
            where v.alive_until > clock_timestamp() - interval '1 hour'
            order by v.alive desc, v.name, v.started_at
            """;

    private static final String NAMES = """
            select destination from %1$s.outbox_backlog
            union select destination from %1$s.outbox_scheduled
            union select destination from %1$s.outbox_hold
            union select destination from %1$s.outbox_pause
            union select destination from %1$s.outbox_destination
            union select unnest(serving) from %1$s.relay_liveness where alive
            """;

    private static final String DESTINATIONS = """
            with held as (
              select h.destination as scope, count(distinct h.id) as holds, count(x.place) as held
              from %1$s.outbox_hold h left join %1$s.outbox_held_message x on x.hold_id = h.id
              group by h.destination
            ), moves as materialized (
              select * from %1$s.outbox_moves()
            ), names as (
              select destination from %1$s.outbox_backlog union select scope from held
              union select destination from %1$s.outbox_pause union select destination from %1$s.outbox_refusal
              union select destination from moves
            )
            select n.destination, coalesce(b.pending, 0) as pending, coalesce(b.oldest_age_seconds, 0) as oldest_age_seconds,
              coalesce(h.holds, 0) as holds, coalesce(h.held, 0) as held,
              nullif(concat_ws('; ', p.reason, 'moves to ' || e.moves_to || ' by ' || e.operator), '') as paused,
              r.reason || ': ' || r.description as refused
            from names n
            left join %1$s.outbox_backlog b using (destination)
            left join held h on h.scope = n.destination
            left join %1$s.outbox_pause p using (destination)
            left join moves e on e.destination = n.destination
            left join %1$s.outbox_refusal r on r.destination = n.destination
              and r.seen_at > clock_timestamp() - interval '5 minutes'
            order by n.destination
            """;
}
