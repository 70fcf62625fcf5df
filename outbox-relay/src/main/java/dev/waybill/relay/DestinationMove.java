package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.AuditContext;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Moves one destination of an outbox to another entity: takes all of its lanes away from the relays, and gives them back when they
 * are to send to the other one. Immutable and thread-safe.
 *
 * <pre>
 *   nothing ──{@link #begin}──▶ withheld ──{@link #take}──▶ taken ──{@link #finish}──▶ in force: the relays go on, to the new one
 *                             │                │
 *                             └────────────────┴──{@link #abort}, or not {@linkplain #prolong prolonged}──▶ they go on as before
 * </pre>
 *
 * <p>While a destination is withheld, no relay can take a lane of it, of whatever version it is; those that have some settle what
 * is on its way and give them back. Taking the lanes raises their epochs. So nothing that was sent before counts as published
 * afterwards unless it was settled before, and what a relay has sent without an acknowledgement is sent again. The end
 * requires that the epochs are as they were when the lanes were taken: nobody has had one since.
 */
public final class DestinationMove {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final DSLContext dsl;
    private final SchemaName schema;
    private final String destination;

    private DestinationMove(DSLContext dsl, SchemaName schema, String destination) {
        this.dsl = dsl;
        this.schema = schema;
        this.destination = destination;
    }

    /** The moves of a destination of the outbox in a schema. */
    public static DestinationMove of(DataSource dataSource, SchemaName schema, String destination) {
        return new DestinationMove(schema.in(AutoCommitConnections.using(dataSource)), schema, destination);
    }

    /** Where all destinations are that have moved or are about to. */
    public static List<State> all(DataSource dataSource, SchemaName schema) {
        return schema.in(AutoCommitConnections.using(dataSource))
                .fetch(STATE.formatted(schema) + " order by destination")
                .map(DestinationMove::state);
    }

    /** Where the destination is, and where to it moves; empty if it has never moved. */
    public Optional<State> state() {
        return dsl.fetchOptional(STATE.formatted(schema) + " where destination = {0}", val(destination))
                .map(DestinationMove::state);
    }

    /** The names of relays that are alive and serve the destination, and would send to the entity of their configuration. */
    public List<String> notFollowing() {
        return dsl.fetch(NOT_FOLLOWING.formatted(schema), val(destination)).into(String.class);
    }

    /** Whether messages without a session wait in the outbox: an entity that requires sessions refuses them. */
    public boolean hasSessionless() {
        return is(dsl, SESSIONLESS);
    }

    /**
     * Withholds the destination from all relays for a while. A move that somebody else has begun, and does not prolong any more,
     * is taken over.
     *
     * @param from the entity that it leaves
     * @return by which the mover is known; empty while somebody else is at it, or if somebody has put another entity than {@code
     *     from} in force
     */
    public Optional<UUID> begin(String from, String to, Duration hold, AuditContext instruction) {
        UUID token = UUID.randomUUID();
        int begun = dsl.execute(
                BEGIN.formatted(schema),
                val(destination),
                val(from),
                val(to),
                val(token),
                val(hold.toMillis()),
                val(instruction.operator()),
                val(instruction.reason()));
        announce();
        return begun == 1 ? Optional.of(token) : Optional.empty();
    }

    /** Withholds it for that long from now on; returns false if it is too late, or the move was aborted. */
    public boolean prolong(UUID token, Duration hold) {
        return dsl.execute(PROLONG.formatted(schema), val(destination), val(token), val(hold.toMillis())) == 1;
    }

    /**
     * Takes the lanes, once no relay that is alive has one, nothing that was sent can be under way any more, and no attempt at a
     * held message is.
     *
     * @return the epochs, for {@link #finish}; empty if it is too early
     */
    public Optional<Taken> take() {
        try {
            return takeUnlocked();
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Taken> takeUnlocked() {
        return dsl.transactionResult(tx -> {
            lockLanes(tx.dsl());
            if (is(tx.dsl(), IN_USE)) {
                return Optional.empty();
            }
            tx.dsl().execute(TAKE.formatted(schema), val(destination));
            tx.dsl().execute(END_ATTEMPTS.formatted(schema), val(destination));
            boolean early = is(tx.dsl(), UNDER_WAY);
            return early ? Optional.<Taken>empty() : Optional.of(new Taken(epochs(tx.dsl())));
        });
    }

    /**
     * Puts the new entity in force and lets the relays go on, at once.
     *
     * @param partitioned whether the new entity is
     * @return for how long no message was sent; empty if somebody has had a lane since they were taken, or the time ran out:
     *     nothing is changed then
     */
    public Optional<Duration> finish(UUID token, Taken taken, boolean partitioned) {
        Optional<Duration> paused = dsl.transactionResult(tx -> {
            lockLanes(tx.dsl());
            if (!taken.equals(new Taken(epochs(tx.dsl()))) || is(tx.dsl(), ATTEMPTED)) {
                return Optional.empty();
            }
            return tx.dsl()
                    .fetchOptional(FINISH.formatted(schema), val(destination), val(token), val(partitioned))
                    .map(row -> Duration.ofMillis(row.get(0, Long.class)));
        });
        paused.ifPresent(done -> announce());
        return paused;
    }

    /** Gives up whatever move is under way: the relays go on, to the entity from before. Returns false if there was none. */
    public boolean abort() {
        return abort(null);
    }

    /**
     * The same of one mover.
     *
     * @param token null for anybody's
     */
    public boolean abort(@Nullable UUID token) {
        int aborted = dsl.execute(ABORT.formatted(schema), val(destination), val(token));
        dsl.execute(FORGET.formatted(schema), val(destination));
        announce();
        return aborted == 1;
    }

    // A statement after the wait for a lock must see what was waited for, whatever the database's default is.
    private void lockLanes(DSLContext tx) {
        tx.execute("set transaction isolation level read committed");
        tx.execute("set local lock_timeout = '2s'");
        tx.fetch(LOCK_LANES.formatted(schema), val(destination));
    }

    private boolean is(DSLContext tx, String question) {
        return tx.fetchSingle(question.formatted(schema), val(destination)).get(0, Boolean.class);
    }

    private List<Long> epochs(DSLContext tx) {
        return tx.fetch(EPOCHS.formatted(schema), val(destination)).into(Long.class);
    }

    // Relays look when this has changed.
    private void announce() {
        dsl.fetch("select nextval('%s.outbox_lane_seq')".formatted(schema));
    }

    private static State state(Record row) {
        @Nullable String to = row.get("moves_to", String.class);
        Optional<Move> move = Optional.ofNullable(to)
                .map(target -> new Move(
                        Objects.requireNonNull(row.get("moves_from", String.class)),
                        target,
                        row.get("withheld", Boolean.class),
                        row.get("operator", String.class),
                        row.get("reason", String.class)));
        return new State(
                row.get("destination", String.class),
                Optional.ofNullable(row.get("entity", String.class)),
                Arrays.asList(row.get("former", String[].class)),
                move);
    }

    /**
     * Where a destination is.
     *
     * @param entity the one in force; empty for what the configuration of the relays says
     * @param former the ones before, the last one at the end
     * @param move the one under way
     */
    public record State(String destination, Optional<String> entity, List<String> former, Optional<Move> move) {
        /** Copies the list. */
        public State {
            former = List.copyOf(former);
        }
    }

    /**
     * A move that has begun and not ended.
     *
     * @param withheld whether somebody is at it; if not, the relays send to the entity from before
     */
    public record Move(String from, String to, boolean withheld, String operator, String reason) {}

    /** The lanes as they were taken, by their epochs. */
    public record Taken(List<Long> epochs) {
        /** Copies the list. */
        public Taken {
            epochs = List.copyOf(epochs);
        }
    }

    private static final String STATE = """
            select destination, entity, former, moves_from, moves_to, operator, reason,
              coalesce(held_until > clock_timestamp(), false) as withheld
            from %1$s.outbox_entity
            """;

    private static final String NOT_FOLLOWING = """
            select v.name from %1$s.relay_liveness v join %1$s.relay_instance i on i.id = v.id
            where v.alive and {0} = any(v.destinations) and not i.follows_entities
            order by v.name
            """;

    private static final String SESSIONLESS = """
            select exists (
              select from %1$s.outbox_lane l
              left join %1$s.outbox_cursor c on c.destination = l.destination and c.bucket = l.bucket
              cross join lateral (
                select from %1$s.outbox_row r
                where r.destination = l.destination and r.bucket = l.bucket and r.seq > coalesce(c.position, 0)
                  and r.session_id is null
                limit 1) waiting
              where l.destination = {0}
            ) or exists (
              select from %1$s.outbox_scheduled where destination = {0} and session_id is null
            ) or exists (
              select from %1$s.outbox_hold where destination = {0} and session_id is null)
            """;

    private static final String BEGIN = """
            insert into %1$s.outbox_entity as e
              (destination, moves_from, moves_to, token, held_since, held_until, operator, reason)
            values ({0}, {1}, {2}, {3}, clock_timestamp(), clock_timestamp() + {4} * interval '1 millisecond', {5}, {6})
            on conflict (destination) do update set
              moves_from = excluded.moves_from, moves_to = excluded.moves_to, token = excluded.token,
              held_since = excluded.held_since, held_until = excluded.held_until,
              operator = excluded.operator, reason = excluded.reason, begun_at = clock_timestamp()
            where coalesce(e.held_until <= clock_timestamp(), true)
              and (e.entity is null or lower(e.entity) = lower(excluded.moves_from))
            """;

    private static final String PROLONG = """
            update %1$s.outbox_entity set held_until = clock_timestamp() + {2} * interval '1 millisecond'
            where destination = {0} and token = {1} and held_until > clock_timestamp()
            """;

    private static final String LOCK_LANES =
            "select bucket from %1$s.outbox_lane where destination = {0} order by bucket for update";

    private static final String IN_USE = """
            select exists (
              select from %1$s.outbox_lane l join %1$s.relay_liveness v on v.id = l.owner
              where l.destination = {0} and v.alive and {0} = any(v.serving))
            """;

    private static final String TAKE = """
            update %1$s.outbox_lane set owner = null, epoch = epoch + 1 where destination = {0} and owner is not null
            """;

    // Nobody is to settle late what was sent to the entity from before.
    private static final String END_ATTEMPTS = """
            update %1$s.outbox_hold set attempt_token = null, attempt_until = null
            where destination = {0} and attempt_token is not null and attempt_until <= clock_timestamp()
            """;

    private static final String ATTEMPTED = """
            select exists (
              select from %1$s.outbox_hold where destination = {0} and attempt_token is not null)
            """;

    private static final String UNDER_WAY = """
            select exists (
              select from %1$s.outbox_lane where destination = {0} and available_at > clock_timestamp()) or exists (
              select from %1$s.outbox_hold where destination = {0} and attempt_token is not null)
            """;

    private static final String EPOCHS =
            "select epoch from %1$s.outbox_lane where destination = {0} and owner is null order by bucket";

    private static final String FINISH = """
            update %1$s.outbox_entity set entity = moves_to, partitioned = {2}, switched_at = clock_timestamp(),
              former = array_append(array_remove(former, moves_to), moves_from),
              moves_from = null, moves_to = null, token = null, held_until = null
            where destination = {0} and token = {1} and held_until > clock_timestamp()
            returning (extract(epoch from clock_timestamp() - held_since) * 1000)::bigint
            """;

    private static final String ABORT = """
            update %1$s.outbox_entity set moves_from = null, moves_to = null, token = null, held_until = null
            where destination = {0} and moves_to is not null and ({1}::uuid is null or token = {1}::uuid)
            """;

    private static final String FORGET =
            "delete from %1$s.outbox_entity where destination = {0} and entity is null and moves_to is null";
}
