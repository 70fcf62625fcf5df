package dev.waybill.relay.lease;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.Publisher;
import dev.waybill.schema.Locking;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Who owns the destinations: rows of {@code outbox_destination}. Immutable and thread-safe. */
public final class DestinationTable {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final SequenceCheck sequence;

    /** The destinations of the outbox in a schema. */
    public DestinationTable(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
        sequence = new SequenceCheck(schema);
    }

    /** Makes the rows that are missing. */
    public void ensure(Collection<String> destinations) {
        dsl.execute(ENSURE.formatted(schema), names(destinations));
    }

    /**
     * Claims those candidates that are free: nobody owns them, or an owner that is dead or does not serve them, or the relay
     * itself by a claim whose outcome it has not learned. What others have locked at this moment is left out.
     *
     * @return what the relay owns from now on
     * @throws IllegalStateException if row level security hides messages from the relay
     */
    public List<Claim> claim(UUID relay, Collection<String> candidates) {
        if (candidates.isEmpty()) {
            return List.of();
        }
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            requireAllRows(tx.dsl());
            return claimFree(tx.dsl(), relay, names(candidates));
        });
    }

    private List<Claim> claimFree(DSLContext tx, UUID relay, Field<String[]> candidates) {
        UUID[] owners = tx.fetch(LOCK_OWNERS.formatted(schema), candidates)
                .into(UUID.class)
                .toArray(UUID[]::new);
        List<String> locked = tx.fetch(LOCK.formatted(schema), candidates).into(String.class);
        var claimed = tx.fetch(CLAIM.formatted(schema), val(relay), names(locked), val(owners));
        boolean raised = sequence.raise(tx, claimed.getValues("destination", String.class));
        return claimed.map(row -> claim(row, raised));
    }

    // A policy would let the relay read nothing, without an error.
    private void requireAllRows(DSLContext tx) {
        if (tx.fetchSingle(HIDES_ROWS.formatted(schema)).get(0, Boolean.class)) {
            throw new IllegalStateException("Row level security is active on " + schema.table("outbox_message")
                    + " for the relay's role, which would silently read no messages;"
                    + " give the role BYPASSRLS or disable row level security on the table");
        }
    }

    /**
     * Gives a destination up.
     *
     * @param freeAfter how long nobody is to claim it: zero, or the longest send if the outcome of one is unknown
     * @return false if the relay did not own it under that epoch any more
     * @throws org.jooq.exception.DataAccessException {@link Locking#isTimeout} if somebody has locked it: it is waited for by
     *     no loop that has other destinations
     */
    public boolean release(UUID relay, String destination, long epoch, Duration freeAfter) {
        return dsl.transactionResult(tx -> {
            Locking.begin(tx.dsl());
            tx.dsl().fetch(LOCK_ONE.formatted(schema), val(destination));
            return tx.dsl()
                            .execute(
                                    RELEASE.formatted(schema),
                                    val(relay),
                                    val(destination),
                                    val(epoch),
                                    val(freeAfter.toMillis()))
                    == 1;
        });
    }

    private static Field<String[]> names(Collection<String> destinations) {
        return val(destinations.toArray(String[]::new));
    }

    private static Claim claim(Record row, boolean sequenceRaised) {
        @Nullable Long seq = row.get("suspect_seq", Long.class);
        Optional<Claim.Suspect> suspect = Optional.ofNullable(seq)
                .map(value -> new Claim.Suspect(
                        value, row.get("suspect_message_id", String.class), row.get("suspect_deaths", Integer.class)));
        return new Claim(
                row.get("destination", String.class),
                row.get("epoch", Long.class),
                new Claim.PreviousOwner(row.get("from_dead", Boolean.class), row.get("deaths", Integer.class), suspect),
                sequenceRaised,
                Optional.ofNullable(row.get("entity", String.class))
                        .map(path -> new Publisher.Entity(path, row.get("entity_partitioned", Boolean.class))));
    }

    private static final String ENSURE = """
            insert into %1$s.outbox_destination (destination)
            select d from unnest({0}::text[]) as d order by d
            on conflict (destination) do nothing
            """;

    private static final String HIDES_ROWS = "select row_security_active('%1$s.outbox_message')";

    // A heartbeat of an owner is either before the claim, which then sees it, or after it.
    private static final String LOCK_OWNERS = """
            select r.id from %1$s.relay r
            where r.id = any (array(select d.owner from %1$s.outbox_destination d where d.destination = any ({0})))
            order by r.id for update skip locked
            """;

    private static final String LOCK = """
            select d.destination from %1$s.outbox_destination d
            where d.destination = any ({0}) order by d.destination for update skip locked
            """;

    // {0} the relay, {1} the destinations that are locked, {2} the owners whose rows are locked. An owner whose row
    // exists and is not locked may be alive: its heartbeat, or a claim by somebody else, is on its way. An owner
    // without a row is dead.
    private static final String CLAIM = """
            with free as materialized (
              select d.destination, d.owner is not null and o.alive_until is null as from_dead
              from %1$s.outbox_destination d
              join %1$s.relay me
                on me.id = {0} and me.alive_until > clock_timestamp() and d.destination = any (me.serving)
              left join %1$s.relay o on o.id = d.owner and o.alive_until > clock_timestamp()
              where d.destination = any ({1})
                and (d.moves_until is null or d.moves_until <= clock_timestamp())
                and (d.entity is null or me.follows_entities)
                and case
                  when d.owner is null then d.free_at <= clock_timestamp()
                  when d.owner = me.id then true
                  when d.owner = any ({2}) then o.id is null or not d.destination = any (o.serving)
                  else not exists (select from %1$s.relay r where r.id = d.owner) end
            ), counted as materialized (
              select f.*, (f.from_dead and exists (
                  select from %1$s.outbox_message m where m.destination = f.destination))::int as deaths
              from free f
            )
            update %1$s.outbox_destination d
            set owner = {0}, epoch = d.epoch + 1, deaths = d.deaths + c.deaths,
              suspect_deaths = d.suspect_deaths + case when d.suspect_epoch = d.epoch then c.deaths else 0 end
            from counted c where d.destination = c.destination
            returning d.destination, d.epoch, c.from_dead, d.deaths, d.suspect_seq, d.suspect_message_id, d.suspect_deaths,
              d.entity, d.entity_partitioned
            """;

    private static final String LOCK_ONE =
            "select from %1$s.outbox_destination where destination = {0} for update nowait";

    private static final String RELEASE = """
            update %1$s.outbox_destination
            set owner = null, free_at = clock_timestamp() + {3} * interval '1 millisecond'
            where destination = {1} and owner = {0} and epoch = {2}
            """;
}
