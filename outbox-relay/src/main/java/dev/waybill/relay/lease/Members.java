package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Who is alive, and who owns what: one moment of the database.
 *
 * @param relays those that are alive
 * @param destinations those that were asked for and have a row, by name
 */
public record Members(List<Relay> relays, List<Destination> destinations) {
    /** Copies the lists. */
    public Members {
        relays = List.copyOf(relays);
        destinations = List.copyOf(destinations);
    }

    /** Reads the moment, for some destinations. */
    public static Members read(DSLContext dsl, SchemaName schema, Collection<String> destinations) {
        var relays = new ArrayList<Relay>();
        var found = new ArrayList<Destination>();
        for (Record row : dsl.fetch(READ.formatted(schema), val(destinations.toArray(String[]::new)))) {
            if (row.get("destination") == null) {
                relays.add(relay(row));
            } else {
                found.add(destination(row));
            }
        }
        return new Members(relays, found);
    }

    private static Relay relay(Record row) {
        return new Relay(
                row.get("relay", UUID.class),
                Set.of(row.get("serving", String[].class)),
                row.get("follows", Boolean.class),
                row.get("owned", Integer.class));
    }

    private static Destination destination(Record row) {
        return new Destination(
                row.get("destination", String.class),
                Optional.ofNullable(row.get("relay", UUID.class)),
                row.get("epoch", Long.class),
                Duration.ofMillis(row.get("free_millis", Long.class)),
                new State(
                        row.get("moves", Boolean.class),
                        row.get("paused", Boolean.class),
                        row.get("refused", Boolean.class),
                        Optional.ofNullable(row.get("entity", String.class))));
    }

    /**
     * A relay that is alive.
     *
     * @param serving what it would publish to
     * @param owned how many destinations it owns and serves, of all that there are
     */
    public record Relay(UUID id, Set<String> serving, boolean follows, int owned) {
        /** Copies the set. */
        public Relay {
            serving = Set.copyOf(serving);
        }
    }

    /**
     * A destination.
     *
     * @param owner that is named in its row, alive or not
     * @param freeFor how long it could have been claimed; not positive: it cannot
     */
    public record Destination(String name, Optional<UUID> owner, long epoch, Duration freeFor, State state) {}

    /**
     * What stands about a destination.
     *
     * @param moves whether a move is under way: nobody may own it
     * @param entity the one in force; empty: what the relays' configuration says
     */
    public record State(boolean moves, boolean paused, boolean refused, Optional<String> entity) {}

    // A null destination: a relay. Free since free_at, or since the end of the owner's lease, or since its last
    // heartbeat if it is alive and does not serve. PostgreSQL before 17 cannot subtract infinity.
    private static final String READ = """
            with alive as materialized (
              select * from %1$s.relay where alive_until > clock_timestamp()
            )
            select d.destination, d.owner as relay, d.epoch,
              coalesce((extract(epoch from clock_timestamp() - greatest('2000-01-01 00:00:00+00', case
                when d.owner is null then d.free_at
                when a.id is null then r.alive_until
                when not d.destination = any (a.serving) then a.seen_at
                else clock_timestamp() end)) * 1000)::bigint, 0) as free_millis,
              coalesce(d.moves_until > clock_timestamp(), false) as moves,
              d.paused_at is not null as paused, d.refused_at is not null as refused, d.entity,
              null::text[] as serving, null::boolean as follows, null::bigint as owned
            from %1$s.outbox_destination d
            left join %1$s.relay r on r.id = d.owner
            left join alive a on a.id = d.owner
            where d.destination = any ({0})
            union all
            select null, a.id, null, null, null, null, null, null, a.serving, a.follows_entities,
              (select count(*) from %1$s.outbox_destination d where d.owner = a.id and d.destination = any (a.serving))
            from alive a
            order by 1, 2
            """;
}
