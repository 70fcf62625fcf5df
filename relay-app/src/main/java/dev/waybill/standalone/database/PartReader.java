package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Reads the parts that relays and consumers have in an outbox and an inbox. Thread-safe. */
public final class PartReader {
    private final DSLContext dsl;
    private final SchemaName schema;

    /** A reader with the grants of {@code Role.RELAY}. */
    public PartReader(DataSource dataSource, SchemaName schema) {
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        this.schema = schema;
    }

    /** The part of the relay of that name, which from then on is one of those that tell figures. */
    public RelayPart relay(String name) {
        dsl.execute(
                "update %s.relay_instance set tells_figures = true where name = {0} and not tells_figures"
                        .formatted(schema),
                val(name));
        return dsl.fetchSingle(RELAY.formatted(schema), val(name))
                .map(row -> new RelayPart(
                        row.get("tells", Boolean.class),
                        row.get("lanes", Integer.class),
                        row.get("changes", Long.class)));
    }

    /** Every consumer that has been at work within a week, or has something on hold. */
    public List<ConsumerView> consumers() {
        return dsl.fetch(CONSUMERS.formatted(schema))
                .map(row -> new ConsumerView(
                        row.get("name", String.class),
                        row.get("alive", Boolean.class),
                        row.get("sessions", Long.class),
                        row.get("messages", Long.class),
                        row.get("deferred", Long.class),
                        row.get("forgotten", Long.class)));
    }

    private static final String RELAY = """
            with alive as materialized (
              select l.id, l.name, l.started_at, l.serving, i.tells_figures
              from %1$s.relay_liveness l join %1$s.relay_instance i on i.id = l.id where l.alive
            )
            select
              coalesce((select a.name = {0} from alive a where a.tells_figures order by a.started_at, a.id limit 1), true)
                as tells,
              (select count(*)::integer from %1$s.outbox_lane l join alive a on a.id = l.owner
               where a.name = {0} and l.destination = any(a.serving)) as lanes,
              (select coalesce(sum(epoch), 0)::bigint from %1$s.outbox_lane) as changes
            """;

    private static final String CONSUMERS = """
            with held as (
              select h.scope as name, count(distinct h.id) as sessions, count(x.place) as messages
              from %1$s.hold h left join %1$s.held_message x on x.hold_id = h.id
              where h.side = 'inbox' group by h.scope
            ), names as (
              select name from %1$s.inbox_consumer where alive_until > clock_timestamp() - interval '7 days' union select name from held
            )
            select n.name, coalesce(h.sessions, 0) as sessions, coalesce(h.messages, 0) as messages,
              d.deferred, d.forgotten,
              exists (select from %1$s.inbox_instance a
                where a.consumer = n.name and a.alive_until > clock_timestamp()) as alive
            from names n left join held h using (name)
            cross join lateral (
              select count(*) as deferred, count(*) filter (
                where resume_at is null and deferred_at < clock_timestamp() - interval '1 day') as forgotten
              from (select resume_at, deferred_at from %1$s.inbox_deferral where consumer = n.name limit 50000) x) d
            order by n.name
            """;
}
