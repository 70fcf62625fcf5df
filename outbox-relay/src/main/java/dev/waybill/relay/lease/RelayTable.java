package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The row of one relay in the table {@code relay}, on the database's clock. Immutable and thread-safe. */
public final class RelayTable {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final String name;
    private final boolean follows;

    /**
     * The rows of a relay.
     *
     * @param name for people; two relays may have the same
     * @param follows whether it sends to the entity that {@code outbox_destination} names
     */
    public RelayTable(DSLContext dsl, SchemaName schema, String name, boolean follows) {
        this.dsl = dsl;
        this.schema = schema;
        this.name = name;
        this.follows = follows;
    }

    /**
     * Makes the row of a new id.
     *
     * @param former the id from before, which ends: its destinations are free at once, and count for no death
     */
    public void insert(UUID id, @Nullable UUID former, Duration lease, Report report) {
        dsl.transaction(tx -> {
            Locking.begin(tx.dsl());
            if (former != null) {
                end(tx.dsl(), former, Duration.ZERO);
            }
            tx.dsl()
                    .execute(
                            INSERT.formatted(schema),
                            val(id),
                            val(lease.toMillis()),
                            val(report.serving().toArray(String[]::new)),
                            names(report),
                            texts(report, Report.State::state),
                            ages(report),
                            texts(report, Report.State::detail),
                            rates(report),
                            val(name),
                            val(follows));
        });
    }

    /**
     * Extends a lease that has not run out, and writes what the relay does.
     *
     * @return false if it has run out
     */
    public boolean renew(UUID id, Duration lease, Report report) {
        return dsl.execute(
                        RENEW.formatted(schema),
                        val(id),
                        val(lease.toMillis()),
                        val(report.serving().toArray(String[]::new)),
                        names(report),
                        texts(report, Report.State::state),
                        ages(report),
                        texts(report, Report.State::detail),
                        rates(report))
                == 1;
    }

    /**
     * The relay is no more.
     *
     * @param freeAfter how long destinations that it still owns are kept from others
     */
    public void delete(UUID id, Duration freeAfter) {
        dsl.transaction(tx -> {
            Locking.begin(tx.dsl());
            end(tx.dsl(), id, freeAfter);
        });
    }

    /** Removes relays that have not been alive for an hour and own nothing. */
    public int forgetDead() {
        return dsl.transactionResult(tx -> {
            Locking.begin(tx.dsl());
            return tx.dsl().execute(FORGET.formatted(schema));
        });
    }

    private void end(DSLContext tx, UUID id, Duration freeAfter) {
        tx.execute(DELETE.formatted(schema), val(id));
        tx.execute(DISOWN.formatted(schema), val(id), val(freeAfter.toMillis()));
    }

    private static Field<String[]> names(Report report) {
        return val(
                report.states().stream().map(Report.State::destination).toArray(String[]::new),
                SQLDataType.CLOB.getArrayDataType());
    }

    private static Field<String[]> texts(Report report, Function<Report.State, String> part) {
        return val(report.states().stream().map(part).toArray(String[]::new));
    }

    private static Field<Double[]> rates(Report report) {
        return val(report.states().stream().map(Report.State::rate).toArray(Double[]::new));
    }

    private static Field<Long[]> ages(Report report) {
        return val(report.states().stream().map(state -> state.age().toMillis()).toArray(Long[]::new));
    }

    // Locks first and judges then: whoever waits for a claim that ends the lease must not extend it afterwards. One
    // statement by itself, so that a process which stops at any moment keeps no lock. It waits for no standby: while
    // one is missing, each heartbeat would keep the lock that the next one needs, and one that a standby has not seen
    // when it takes over only ends the lease earlier.
    private static final String RENEW = """
            with settings as materialized (
              select set_config('lock_timeout', '2s', true) as wait,
                set_config('synchronous_commit',
                  case current_setting('synchronous_commit') when 'off' then 'off' else 'local' end, true) as flush),
            me as materialized (
              select r.id, r.alive_until from settings s cross join %1$s.relay r
              where r.id = {0} and s.wait <> '' and s.flush <> '' for update of r)
            update %1$s.relay r
            set seen_at = clock_timestamp(), alive_until = clock_timestamp() + {1} * interval '1 millisecond',
              serving = {2}, destinations = {3}, states = {4},
              since = array(select clock_timestamp() - age * interval '1 millisecond'
                from unnest({5}::bigint[]) with ordinality as a(age, place) order by place),
              details = {6}, rates = {7}
            from me where r.id = me.id and me.alive_until > clock_timestamp()
            """;

    private static final String INSERT = """
            insert into %1$s.relay (id, alive_until, serving, destinations, states, since, details, rates, name, follows_entities)
            values ({0}, clock_timestamp() + {1} * interval '1 millisecond', {2}, {3}, {4},
              array(select clock_timestamp() - age * interval '1 millisecond'
                from unnest({5}::bigint[]) with ordinality as a(age, place) order by place),
              {6}, {7}, {8}, {9})
            """;

    private static final String DELETE = "delete from %1$s.relay where id = {0}";

    // What somebody has locked is taken over later, as from an owner that died: a heartbeat waits for no operator.
    private static final String DISOWN = """
            with mine as materialized (
              select d.destination from %1$s.outbox_destination d where d.owner = {0}
              order by d.destination for update skip locked)
            update %1$s.outbox_destination d
            set owner = null, free_at = clock_timestamp() + {1} * interval '1 millisecond'
            from mine m where d.destination = m.destination
            """;

    private static final String FORGET = """
            with dead as materialized (
              select r.id from %1$s.relay r
              where r.alive_until < clock_timestamp() - interval '1 hour'
                and not exists (select from %1$s.outbox_destination d where d.owner = r.id)
              order by r.id for update skip locked)
            delete from %1$s.relay r using dead where r.id = dead.id
            """;
}
