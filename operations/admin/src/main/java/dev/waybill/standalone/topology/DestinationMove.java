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
 * Moves one destination of an outbox to another entity. Immutable and thread-safe.
 *
 * <pre>
 *   nothing ──{@link #begin}──▶ withheld ──{@link #take}──▶ taken ──{@link #finish}──▶ in force: relays send to the new entity
 *                             │                │
 *                             └────────────────┴──{@link #abort}, or not {@linkplain #prolong prolonged}──▶ relays resume as before
 * </pre>
 *
 * <p>No relay can claim a withheld destination; its owner settles messages in flight and releases it. Taking it raises the
 * epoch, so that a late settlement fails and the relay sends such messages again. {@link #finish} requires the epoch of the
 * take, which proves that no relay owned the destination in between.
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

    public static DestinationMove of(DataSource dataSource, SchemaName schema, String destination) {
        return new DestinationMove(schema.in(AutoCommitConnections.using(dataSource)), schema, destination);
    }

    /** All destinations that moved or are moving. */
    public static List<State> all(DataSource dataSource, SchemaName schema) {
        return schema.in(AutoCommitConnections.using(dataSource))
                .fetch(MoveSql.STATE.formatted(schema) + " order by destination")
                .map(DestinationMove::state);
    }

    /** The current and the next entity; empty if the destination never moved. */
    public Optional<State> state() {
        return dsl.fetchOptional(MoveSql.STATE.formatted(schema) + " and destination = {0}", val(destination))
                .map(DestinationMove::state);
    }

    /** Live relays that would ignore a move and send to their configured entity. */
    public List<String> notFollowing() {
        return dsl.fetch(MoveSql.NOT_FOLLOWING.formatted(schema), val(destination))
                .into(String.class);
    }

    /** Whether messages without a session are pending; an entity with required sessions rejects them. */
    public boolean hasSessionless() {
        return is(dsl, MoveSql.SESSIONLESS);
    }

    /**
     * Withholds the destination from all relays for a while. Takes over an expired move.
     *
     * @param from the current entity
     * @return the mover's token; empty while another mover is active, or if {@code from} is not the current entity
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

    /** Extends the hold; returns false if it has expired or was aborted. */
    public boolean prolong(UUID token, Duration hold) {
        return order(tx -> tx.execute(
                        MoveSql.PROLONG.formatted(schema), val(destination), val(token), val(hold.toMillis())))
                == 1;
    }

    /**
     * Takes the destination once no live relay owns it, no sent message can be in flight, and no held message is being retried.
     *
     * @return the taken destination, for {@link #finish}; empty if it is too early
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

    // Locks rows in the order of claims: the owner, then the destination.
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
     * Activates the new entity and resumes the relays.
     *
     * @param taken by {@link #take}
     * @param partitioned whether the new entity is partitioned
     * @return how long nothing was sent; empty without a change if a relay owned the destination or the hold expired
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

    /** Aborts any move: the relays resume with the old entity. Returns false without a move. */
    public boolean abort() {
        return abort(null);
    }

    /** Aborts the move of one mover, or of any mover without a token. */
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

    @FunctionalInterface
    private interface Order {
        int run(DSLContext tx);
    }

    /** The entities of a destination; without an active one, the configured one applies. The latest former one comes last. */
    public record State(String destination, Optional<String> entity, List<String> former, Optional<Move> move) {
        public State {
            former = List.copyOf(former);
        }
    }

    /** A move in progress; if its hold has expired, relays send to the old entity. */
    public record Move(String from, String to, boolean withheld, String operator, String reason) {}

    /** A destination taken from the relays. */
    public record Taken(long epoch) {}
}
