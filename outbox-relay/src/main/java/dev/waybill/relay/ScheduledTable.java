package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.outbox.SessionLocks;
import dev.waybill.relay.DueFloor.Place;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.OutsideFailure;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * The rows that wait for their time, and their way into the outbox: deleted here and inserted there in one
 * transaction, under their sessions' locks, in the order of their due times.
 *
 * <p>Nothing here waits for an application's lock while it holds others, so it makes no application part of a deadlock. The
 * lock that an insert takes on the table, and that whoever excludes all writers keeps from it, comes first
 * (docs/contributing/decisions/0195). A row is passed over if somebody else has locked it, to cancel or to move it, or has
 * locked the claim that it names; so are the later rows of its session. Rows that were passed over are noted in the floor and
 * tried again by themselves.
 */
final class ScheduledTable {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Of the relay's own: two that move, or one that moves and one that tidies up. */
    private static final String DEADLOCK = "40P01";

    /** Well below PostgreSQL's {@code deadlock_timeout} of a second, so that it is this one that gives way. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    // A statement's result is what its snapshot sees only if the transaction has none of its own.
    private static final String READ_COMMITTED = "set transaction isolation level read committed";

    private final DSLContext dsl;
    private final int batchRows;
    private final String look;
    private final SchemaName schema;
    private volatile Statements statements;
    private final String lock;

    ScheduledTable(DSLContext dsl, SchemaName schema, int batchRows) {
        this.dsl = DSL.using(dsl.configuration().deriveAppending(ExecuteListener.onPrepareEnd(ScheduledTable::plan)));
        this.batchRows = batchRows;
        look = ScheduledSql.look(schema);
        this.schema = schema;
        statements = Statements.of(schema, false);
        lock = SessionLocks.lockTable(schema);
    }

    // Where the register of bodies is not installed no row of it can be locked or needed.
    private Statements statements(DSLContext tx) {
        if (!statements.claims && FeatureMissing.isInstalled(tx, schema, "outbox_claim")) {
            statements = Statements.of(schema, true);
        }
        return statements;
    }

    private record Statements(boolean claims, String choose, String chooseLeft, String chooseLoose, String move) {
        static Statements of(SchemaName schema, boolean claims) {
            return new Statements(
                    claims,
                    ScheduledSql.choose(schema, claims),
                    ScheduledSql.chooseLeft(schema, claims),
                    ScheduledSql.chooseLoose(schema, claims),
                    ScheduledSql.move(schema, claims));
        }
    }

    /** Looks what is due beyond the floors, or soon will be. */
    Look look(Collection<DueFloor> floors) {
        var rows = dsl.transactionResult(tx -> tx.dsl()
                .fetch(
                        look,
                        texts(floors, DueFloor::destination),
                        texts(floors, floor -> floor.place().due()),
                        val(floors.stream().map(floor -> floor.place().id()).toArray(Long[]::new)),
                        texts(floors, DueFloor::snapshot)));
        var waits = new HashMap<String, Duration>();
        for (Record row : rows) {
            @Nullable Long millis = row.get("millis", Long.class);
            if (millis != null) {
                waits.put(row.get("destination", String.class), Duration.ofMillis(millis));
            }
        }
        return new Look(waits, Moment.of(rows.get(0)));
    }

    /**
     * Moves the first due rows beyond a floor whose sessions nobody is appending to, and sets the floor behind
     * what was seen.
     *
     * @param server the one that the floor is about
     * @throws Replaced if it is another one, or was started anew
     * @throws WritersExcluded if nobody may write
     */
    Batch move(DueFloor floor, String server) {
        var taken = unlessLocked(tx -> {
            begin(tx);
            return moveDue(tx, floor, server);
        });
        if (taken == null) {
            return Batch.NONE;
        }
        // Not before the commit: what a transaction that fails has chosen is still where it was.
        taken.choice().note(floor, taken.moment(), batchRows);
        return new Batch(taken.moved(), taken.choice().isFull(batchRows));
    }

    private Taken moveDue(DSLContext tx, DueFloor floor, String server) {
        var taken = Taken.of(
                tx.fetch(
                        statements(tx).choose,
                        val(floor.destination()),
                        val(floor.place().due()),
                        val(floor.place().id()),
                        val(floor.snapshot(), SQLDataType.CLOB),
                        val(batchRows)),
                server);
        var choice = taken.choice();
        choice.choose(free(tx, floor.destination(), choice.sessions(floor)), floor);
        move(tx, choice.chosen());
        return taken;
    }

    /**
     * Moves rows that were left, of those sessions that are free now; returns how many.
     *
     * @param server the one that the floor is about
     * @throws Replaced if it is another one, or was started anew
     * @throws WritersExcluded if nobody may write
     */
    int moveLeft(DueFloor floor, String server) {
        List<String> tried = floor.sessions(batchRows);
        var free = new ArrayList<String>();
        var taken = tried.isEmpty()
                ? null
                : unlessLocked(tx -> {
                    begin(tx);
                    free.addAll(free(tx, floor.destination(), tried));
                    return free.isEmpty() ? null : moveLeft(tx, floor, server, free);
                });
        tried.forEach(session -> floor.leave(session, floor.left(session)));
        return noteLeft(taken, floor, free);
    }

    /**
     * Moves the first due rows of one session once whoever appends to it has ended.
     *
     * @param server the one that the floor is about
     * @return how many were moved; 0 if the wait took too long
     * @throws Replaced if it is another one, or was started anew
     */
    int moveOf(DueFloor floor, String server, String session, Duration patience) {
        List<String> one = List.of(session);
        var taken = unlessLocked(tx -> {
            tx.execute(READ_COMMITTED + ";\nset local lock_timeout = " + patience.toMillis());
            SessionLocks.take(tx, floor.destination(), one);
            tx.execute(lock + " nowait");
            return moveLeft(tx, floor, server, one);
        });
        return noteLeft(taken, floor, one);
    }

    private Taken moveLeft(DSLContext tx, DueFloor floor, String server, List<String> sessions) {
        var taken = Taken.of(
                tx.fetch(
                        statements(tx).chooseLeft,
                        val(floor.destination()),
                        val(floor.place().due()),
                        val(floor.place().id()),
                        texts(sessions, session -> session),
                        texts(sessions, session -> floor.left(session).due()),
                        val(sessions.stream()
                                .map(session -> floor.left(session).id())
                                .toArray(Long[]::new)),
                        val(share(sessions))),
                server);
        taken.choice().choose(Set.copyOf(sessions));
        move(tx, taken.choice().chosen());
        return taken;
    }

    private int noteLeft(@Nullable Taken taken, DueFloor floor, List<String> sessions) {
        if (taken == null) {
            return 0;
        }
        taken.choice().noteLeft(floor, sessions, share(sessions), taken.reached());
        return taken.moved();
    }

    /** How many rows of each session make a batch. */
    private int share(List<String> sessions) {
        return Math.max(1, batchRows / sessions.size());
    }

    /**
     * Moves rows without session that were left; returns how many.
     *
     * @param server the one that the floor is about
     * @throws Replaced if it is another one, or was started anew
     * @throws WritersExcluded if nobody may write
     */
    int moveLoose(DueFloor floor, String server) {
        List<Long> tried = floor.loose(batchRows);
        var taken = tried.isEmpty()
                ? null
                : unlessLocked(tx -> {
                    begin(tx);
                    return moveLoose(tx, floor, server, tried);
                });
        if (taken == null) {
            return 0;
        }
        taken.choice().noteLoose(floor, tried, taken.reached());
        return taken.moved();
    }

    private Taken moveLoose(DSLContext tx, DueFloor floor, String server, List<Long> ids) {
        var taken = Taken.of(
                tx.fetch(
                        statements(tx).chooseLoose,
                        val(floor.destination()),
                        val(floor.place().due()),
                        val(floor.place().id()),
                        val(ids.toArray(Long[]::new))),
                server);
        taken.choice().choose(Set.of());
        move(tx, taken.choice().chosen());
        return taken;
    }

    private void begin(DSLContext tx) {
        try {
            tx.execute(READ_COMMITTED + ";\nset local lock_timeout = " + PATIENCE.toMillis() + ";\n" + lock);
        } catch (DataAccessException e) {
            throw LOCK_NOT_AVAILABLE.equals(e.sqlState()) ? new WritersExcluded(e) : e;
        }
    }

    private @Nullable Taken unlessLocked(Function<DSLContext, @Nullable Taken> transaction) {
        try {
            return dsl.transactionResult(tx -> transaction.apply(tx.dsl()));
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState()) || DEADLOCK.equals(e.sqlState())) {
                return null;
            }
            throw e;
        }
    }

    /** Fails if the database does not answer. */
    void requireAnswer() {
        dsl.execute("select 1");
    }

    private void move(DSLContext tx, List<Due> rows) {
        if (!rows.isEmpty()) {
            tx.execute(statements.move, texts(rows, Due::tid));
        }
    }

    private static Set<String> free(DSLContext tx, String destination, Collection<String> sessions) {
        return SessionLocks.takeFree(tx, destination, sessions);
    }

    private static <T> Field<String[]> texts(Collection<T> things, Function<T, @Nullable String> text) {
        return val(things.stream().map(text).toArray(String[]::new));
    }

    // A plan that was kept would not know that the range between floor and present is small.
    private static void plan(ExecuteContext context) {
        try {
            var statement = context.statement();
            if (statement != null && statement.isWrapperFor(PGStatement.class)) {
                statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            }
        } catch (SQLException e) {
            throw new DataAccessException("The statement cannot be planned each time", e);
        }
    }

    /**
     * The rows that are due.
     *
     * @param waits how long it is, by the database's clock, until a destination's next row is due; zero or less if
     *     one is; none if none is due within a second
     */
    record Look(Map<String, Duration> waits, Moment moment) {}

    /**
     * When and where a statement has looked.
     *
     * @param place after everything that was due
     * @param server another text for another server, and for the same one after a crash or a restart: the
     *     transaction ids of the one mean nothing to the other
     */
    record Moment(Place place, String snapshot, boolean isPrimary, String server) {
        static Moment of(Record row) {
            return new Moment(
                    Place.after(row.get("now", String.class), row.get("now_micros", Long.class)),
                    row.get("snapshot", String.class),
                    row.get("is_primary", Boolean.class),
                    row.get("server", String.class));
        }
    }

    /**
     * The result of one transaction.
     *
     * @param full whether more rows may be due
     */
    record Batch(int moved, boolean full) {
        /** Nothing has moved, and another look would not change that. */
        static final Batch NONE = new Batch(0, false);
    }

    /** Somebody keeps all writers out of the outbox. */
    static final class WritersExcluded extends IllegalStateException implements OutsideFailure {
        private static final long serialVersionUID = 1L;

        WritersExcluded(DataAccessException cause) {
            super("A transaction keeps all others from appending", cause);
        }
    }

    /** Batches are of one server process. */
    static final class Replaced extends IllegalStateException implements OutsideFailure {
        private static final long serialVersionUID = 1L;

        Replaced() {
            super("The database was replaced or started anew");
        }
    }

    /**
     * Rows that a transaction has found, and when it looked; nothing of it counts before the commit.
     *
     * @param reached whether all up to the floor could be due: the clock may have been set back since
     */
    private record Taken(DueChoice choice, Moment moment, boolean reached) {
        static Taken of(List<? extends Record> rows, String server) {
            var moment = Moment.of(rows.get(0));
            if (!moment.server().equals(server)) {
                throw new Replaced();
            }
            var due =
                    rows.stream().flatMap(row -> Stream.ofNullable(Due.of(row))).toList();
            return new Taken(new DueChoice(due), moment, rows.get(0).get("reached", Boolean.class));
        }

        int moved() {
            return choice.chosen().size();
        }
    }

    /**
     * A row that is due.
     *
     * @param tid where in the table it is
     * @param locked whether it is ours to move, with the claim that it names
     */
    record Due(long id, String tid, @Nullable String session, Place place, boolean locked) {
        static @Nullable Due of(Record row) {
            @Nullable Long id = row.get("id", Long.class);
            return id == null
                    ? null
                    : new Due(
                            id,
                            row.get("tid", String.class),
                            row.get("session_id", String.class),
                            place(row, id),
                            row.get("locked", Boolean.class));
        }

        // Without a number: a row that has been due for ever.
        private static Place place(Record row, long id) {
            @Nullable Long micros = row.get("micros", Long.class);
            return new Place(row.get("due", String.class), micros == null ? Long.MIN_VALUE : micros, id);
        }
    }
}
