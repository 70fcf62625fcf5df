package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The signs of life of one relay in the database, on the database's clock. */
final class RelayBeats {
    private static final Logger LOG = LoggerFactory.getLogger(RelayBeats.class);

    private final DSLContext dsl;
    private final SchemaName schema;
    private final UUID relay;
    private final String name;
    private final boolean follows;

    /** @param follows whether it sends to the entity in force */
    RelayBeats(DSLContext dsl, SchemaName schema, UUID relay, String name, boolean follows) {
        this.dsl = dsl;
        this.schema = schema;
        this.relay = relay;
        this.name = name;
        this.follows = follows;
    }

    /**
     * Says that the relay is alive for so long, which of its loops move, and what each does.
     *
     * @param loops all of them
     */
    void beat(Duration alive, List<LoopReport> loops) {
        if (write(alive, loops) == 0) {
            dsl.execute(
                    ("insert into %s.relay_instance (id, name, follows_entities) values ({0}, {1}, {2})"
                                    + " on conflict do nothing")
                            .formatted(schema),
                    val(relay),
                    val(name),
                    val(follows));
            write(alive, loops);
        }
    }

    // The row of the relay is locked, so that nobody judges while this is on its way.
    private int write(Duration alive, List<LoopReport> loops) {
        return dsl.execute(
                BEAT.formatted(schema),
                val(relay),
                val(alive.toMillis()),
                val(loops.stream()
                        .filter(LoopReport::moves)
                        .map(LoopReport::destination)
                        .toArray(String[]::new)),
                val(loops.stream().map(LoopReport::destination).toArray(String[]::new)),
                val(loops.stream().map(LoopReport::state).toArray(String[]::new)),
                val(loops.stream().map(report -> report.age().toMillis()).toArray(Long[]::new)),
                val(loops.stream().map(LoopReport::detail).toArray(String[]::new)));
    }

    /** Lets other relays see that somebody has come, gone, or stopped to serve. */
    void announce() {
        dsl.fetch("select nextval('%s.outbox_lane_seq')".formatted(schema));
    }

    /**
     * Forgets relays that have not been heard of for an hour and own nothing.
     *
     * @param transaction in which it does so
     */
    void forgetTheDead(DSLContext transaction) {
        transaction.execute(FORGET.formatted(schema), val(relay));
    }

    /** The relay is no more. Its lanes are free at once. */
    void leave() {
        dsl.execute("delete from %s.relay_instance where id = {0}".formatted(schema), val(relay));
        announce();
    }

    /** The same, and tells a failure instead of throwing it. */
    void signOff() {
        try {
            leave();
        } catch (RuntimeException e) {
            LOG.warn("The relay could not sign off; others take over when its lease has run out: {}", RootCause.of(e));
        }
    }

    /**
     * The state of a loop.
     *
     * @param destination {@link #OF_NONE} for work beside the destinations
     * @param moves whether it has taken a step lately
     * @param state in one word
     * @param age since when
     * @param detail why
     */
    record LoopReport(String destination, boolean moves, String state, Duration age, String detail) {
        static final String OF_NONE = "";
    }

    // It does not wait for a standby. While one is missing, each beat would keep the lock that the next one needs, and
    // a beat
    // that a standby has not seen when it takes over only ends the lease earlier.
    private static final String BEAT = """
            with me as materialized (
              select id, set_config('synchronous_commit',
                case current_setting('synchronous_commit') when 'off' then 'off' else 'local' end, true) as flush
              from %1$s.relay_instance where id = {0} for update)
            insert into %1$s.relay_beat (relay, alive_until, serving, destinations, states, since, details)
            select id, clock_timestamp() + {1} * interval '1 millisecond', {2}, array_replace({3}, '', null), {4},
              array(select clock_timestamp() - age * interval '1 millisecond'
                from unnest({5}::bigint[]) with ordinality as a(age, place) order by place),
              {6}
            from me where flush <> ''
            """;

    private static final String FORGET = """
            delete from %1$s.relay_instance i
            where i.id <> {0} and i.started_at < clock_timestamp() - interval '1 hour'
              and not exists (
                select from %1$s.relay_beat b
                where b.relay = i.id and b.alive_until > clock_timestamp() - interval '1 hour')
              and not exists (select from %1$s.outbox_lane l where l.owner = i.id)
            """;
}
