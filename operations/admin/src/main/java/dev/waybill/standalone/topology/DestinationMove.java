package dev.waybill.standalone.topology;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.AuditContext;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.Locking;
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
 * Moves one destination of an outbox to another entity: takes it away from the relays, and gives it back when they are to send to
 * the other one. Immutable and thread-safe.
 *
 * <pre>
 *   nothing ──{@link #begin}──▶ withheld ──{@link #take}──▶ taken ──{@link #finish}──▶ in force: the relays go on, to the new one
 *                             │                │
 *                             └────────────────┴──{@link #abort}, or not {@linkplain #prolong prolonged}──▶ they go on as before
 * </pre>
 *
 * <p>While a destination is withheld, no relay can claim it; the owner settles what is on its way and releases it. Taking it raises
 * the epoch. So nothing that was sent before counts as published afterwards unless it was settled before, and what a relay has sent
 * without an acknowledgement is sent again. The end requires the epoch of the take: nobody has owned it since.
 */
public final class DestinationMove {
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
                .fetch(MoveSql.STATE.formatted(schema) + " order by destination")
                .map(DestinationMove::state);
    }

    /** Where the destination is, and where to it moves; empty if it has never moved. */
    public Optional<State> state() {
        return dsl.fetchOptional(MoveSql.STATE.formatted(schema) + " and destination = {0}", val(destination))
                .map(DestinationMove::state);
    }

    /** The names of relays that are alive and know the destination, and would send to the entity of their configuration. */
    public List<String> notFollowing() {
        return dsl.fetch(MoveSql.NOT_FOLLOWING.formatted(schema), val(destination))
                .into(String.class);
    }

    /** Whether messages without a session wait: an entity that requires sessions refuses them. */
    public boolean hasSessionless() {
        return is(dsl, MoveSql.SESSIONLESS);
    }

    /**
     * Withholds the destination from all relays for a while. A move that somebody else has begun, and does not prolong any more,
     * is taken over.
     *
     * @param from the entity that it leaves
     * @return by which the mover is known; empty while somebody else is at it, or if another entity than {@code from} is in force
     */
    public Optional<UUID> begin(String from, String to, Duration hold, AuditContext instruction) {
        UUID token = UUID.randomUUID();
        int begun = order(tx -> tx.execute(
                MoveSql.BEGIN.formatted(schema),
                val(destination),
                val(from),
                val(to),
                val(token),
                val(hold.toMillis()),
                val(instruction.operator()),
                val(instruction.reason())));
        return begun == 1 ? Optional.of(token) : Optional.empty();
    }

    /** Withholds it for that long from now on; returns false if it is too late, or the move was aborted. */
    public boolean prolong(UUID token, Duration hold) {
        return order(tx -> tx.execute(
                        MoveSql.PROLONG.formatted(schema), val(destination), val(token), val(hold.toMillis())))
                == 1;
    }

    /**
     * Takes the destination once no relay that is alive owns it, nothing that was sent can be under way any more, and no attempt
     * at a held message is.
     *
     * @return the destination as it was taken, for {@link #finish}; empty if it is too early
     */
    public Optional<Taken> take() {
        try {
            return dsl.transactionResult(tx -> taken(tx.dsl()));
        } catch (DataAccessException e) {
            if (Locking.isTimeout(e.sqlState())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    // The owner's row first, and then the destination: the order of claims.
    private Optional<Taken> taken(DSLContext tx) {
        Locking.beginDurable(tx);
        tx.fetch(MoveSql.LOCK_OWNER.formatted(schema), val(destination));
        tx.fetch(MoveSql.LOCK.formatted(schema), val(destination));
        if (is(tx, MoveSql.IN_USE)) {
            return Optional.empty();
        }
        tx.execute(MoveSql.END_ATTEMPTS.formatted(schema), val(destination));
        return Optional.of(new Taken(
                tx.fetchSingle(MoveSql.TAKE.formatted(schema), val(destination)).get(0, Long.class)));
    }

    /**
     * Puts the new entity in force and lets the relays go on, at once.
     *
     * @param taken by {@link #take}
     * @param partitioned whether the new entity is
     * @return for how long no message was sent; empty if somebody has owned the destination since, or the time ran out: nothing is
     *     changed then
     */
    public Optional<Duration> finish(UUID token, Taken taken, boolean partitioned) {
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            return tx.dsl()
                    .fetchOptional(
                            MoveSql.FINISH.formatted(schema),
                            val(destination),
                            val(token),
                            val(taken.epoch()),
                            val(partitioned))
                    .map(row -> Duration.ofMillis(row.get(0, Long.class)));
        });
    }

    /** Gives up whatever move is under way: the relays go on, to the entity from before. Returns false if there was none. */
    public boolean abort() {
        return abort(null);
    }

    /**
     * Gives up the move of one mover.
     *
     * @param token null for anybody's
     */
    public boolean abort(@Nullable UUID token) {
        return order(tx -> tx.execute(MoveSql.ABORT.formatted(schema), val(destination), val(token, UUID.class))) == 1;
    }

    private int order(Order order) {
        return dsl.transactionResult(tx -> {
            Locking.beginDurable(tx.dsl());
            return order.run(tx.dsl());
        });
    }

    private boolean is(DSLContext tx, String question) {
        return tx.fetchSingle(question.formatted(schema), val(destination)).get(0, Boolean.class);
    }

    private static State state(Record row) {
        Optional<Move> move = Optional.ofNullable(row.get("moves_to", String.class))
                .map(target -> new Move(
                        Objects.requireNonNull(row.get("moves_from", String.class)),
                        target,
                        row.get("withheld", Boolean.class),
                        row.get("move_operator", String.class),
                        row.get("move_reason", String.class)));
        return new State(
                row.get("destination", String.class),
                Optional.ofNullable(row.get("entity", String.class)),
                Arrays.asList(row.get("former_entities", String[].class)),
                move);
    }

    /** One statement in a transaction. */
    @FunctionalInterface
    private interface Order {
        int run(DSLContext tx);
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

    /** A destination that was taken from the relays. */
    public record Taken(long epoch) {}
}
