package dev.waybill.standalone.database;

import dev.waybill.deadletter.DeadLetters;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SchemaVersion;
import dev.waybill.standalone.database.Overview.ConsumerView;
import dev.waybill.standalone.database.Overview.DeadLetterCount;
import dev.waybill.standalone.database.Overview.Held;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Reads an outbox and what surrounds it from its database alone. Needs the grants of {@code Role.READONLY}. Thread-safe.
 */
public final class OverviewReader {
    private final StatusReader status;
    private final FlowReader flows;
    private final DeadLetters deadLetters;
    private final DSLContext dsl;
    private final SchemaName schema;

    /**
     * A reader.
     *
     * @param database what it is called
     */
    public OverviewReader(String database, DataSource dataSource, SchemaName schema) {
        this.status = new StatusReader(database, dataSource, schema);
        this.flows = new FlowReader(dataSource, schema);
        this.deadLetters = DeadLetters.in(dataSource, schema);
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        this.schema = schema;
    }

    /**
     * Everything as it is now.
     *
     * @throws IllegalStateException if the tables are missing, or older than this program
     */
    public Overview read() {
        SchemaVersion.require(dsl, schema);
        Status now = status.read();
        return new Overview(
                now,
                flows.read(
                        now.destinations().stream().map(DestinationView::name).toList()),
                waiting(),
                deadLetters.collectors(),
                consumers());
    }

    private List<DeadLetterCount> waiting() {
        return dsl.fetch(DEAD_LETTERS.formatted(schema))
                .map(row -> new DeadLetterCount(
                        row.get("entity", String.class),
                        row.get("state", String.class),
                        row.get("count", Long.class),
                        row.get("oldest", Double.class)));
    }

    private List<ConsumerView> consumers() {
        return dsl.fetch(CONSUMERS.formatted(schema))
                .map(row -> new ConsumerView(
                        row.get("name", String.class),
                        row.get("instances", Long.class),
                        Optional.ofNullable(row.get("last_alive", OffsetDateTime.class))
                                .map(OffsetDateTime::toInstant),
                        new Held(
                                row.get("holds", Long.class),
                                row.get("parked", Long.class),
                                row.get("deferrals", Long.class),
                                row.get("forgotten", Long.class))));
    }

    // Closed ones may be millions; the index knows those that are not.
    private static final String DEAD_LETTERS = """
            select m.entity, s.state, count(*) as count,
              extract(epoch from clock_timestamp() - min(m.collected_at))::double precision as oldest
            from %1$s.dead_letter_state s join %1$s.dead_letter_message m on m.id = s.id
            where s.state in ('open', 'quarantined')
            group by m.entity, s.state order by m.entity, s.state
            """;

    private static final String CONSUMERS = """
            with deferred as (
              select consumer as name, count(*) as deferrals, count(*) filter (
                where resume_at is null and deferred_at < clock_timestamp() - interval '1 day') as forgotten
              from %1$s.inbox_deferral group by consumer
            ), held as (
              select scope as name, count(*) as holds, count(*) filter (where state = 'parked') as parked
              from %1$s.hold where side = 'inbox' group by scope
            ), instances as (
              select consumer as name, count(*) filter (where alive_until > clock_timestamp()) as instances,
                max(alive_until) as last_alive
              from %1$s.inbox_instance group by consumer
            ), names as (
              select name from deferred union select name from held union select name from instances
              union select name from %1$s.inbox_consumer
            )
            select n.name, coalesce(i.instances, 0) as instances, greatest(i.last_alive, c.alive_until) as last_alive,
              coalesce(h.holds, 0) as holds, coalesce(h.parked, 0) as parked,
              coalesce(d.deferrals, 0) as deferrals, coalesce(d.forgotten, 0) as forgotten
            from names n left join deferred d using (name) left join held h using (name)
            left join instances i using (name) left join %1$s.inbox_consumer c using (name)
            order by n.name
            """;
}
