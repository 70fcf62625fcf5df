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

/** Reads the status of an outbox from the database alone. Needs the grants of {@code Role.READONLY}. Thread-safe. */
public final class StatusReader {
    private final String database;
    private final DSLContext dsl;
    private final SchemaName schema;

    public StatusReader(String database, DataSource dataSource, SchemaName schema) {
        this.database = database;
        this.dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    public Status read() {
        return new Status(database, relays(), destinations(), scheduled(), alarms());
    }

    public List<Alarm> alarms() {
        return dsl.fetch(ALARMS.formatted(schema))
                .map(row -> new Alarm(
                        row.get("alarm", String.class),
                        row.get("severity", String.class),
                        optional(row, "destination"),
                        row.get("detail", String.class)));
    }

    /** Destinations that have messages or had a relay. */
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
                        row.get("destinations", Integer.class)));
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

    // Recently expired relays stay in the list.
    private static final String RELAYS = """
            select r.name, r.started_at, r.alive_until, r.alive_until > clock_timestamp() as alive,
              (select count(*)::integer from %1$s.outbox_destination d
               where d.owner = r.id and r.alive_until > clock_timestamp() and d.destination = any(r.serving)) as destinations
            from %1$s.relay r
            where r.alive_until > clock_timestamp() - interval '1 hour'
            order by alive desc, r.name, r.started_at
            """;

    private static final String NAMES = """
            select destination from %1$s.outbox_backlog
            union select destination from %1$s.outbox_scheduled
            union select destination from %1$s.outbox_hold
            union select destination from %1$s.outbox_destination
            """;

    private static final String DESTINATIONS = """
            with held as (
              select h.destination, count(distinct h.id) as holds, count(x.place) as held
              from %1$s.outbox_hold h left join %1$s.outbox_held_message x on x.hold_id = h.id
              group by h.destination
            ), special as (
              select *, moves_until > clock_timestamp() as moves,
                refusal_seen_at > clock_timestamp() - interval '5 minutes' as refused
              from %1$s.outbox_destination
            ), names as (
              select destination from %1$s.outbox_backlog union select destination from held
              union select destination from special where paused_at is not null or moves or refused
            )
            select n.destination, coalesce(b.pending, 0) as pending, coalesce(b.oldest_age_seconds, 0) as oldest_age_seconds,
              coalesce(h.holds, 0) as holds, coalesce(h.held, 0) as held,
              nullif(concat_ws('; ', s.pause_reason || ' (' || s.paused_by || ')',
                case when s.moves then 'moves to ' || s.moves_to || ' by ' || s.move_operator end), '') as paused,
              case when s.refused then s.refusal_reason || ': ' || s.refusal_description end as refused
            from names n
            left join %1$s.outbox_backlog b using (destination)
            left join held h using (destination)
            left join special s using (destination)
            order by n.destination
            """;
}
