package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.outbox.SessionLocks;
import dev.waybill.relay.DueFloor.Place;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.OutsideFailure;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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
 * (docs/contributing/decisions/0195). A row that somebody else has locked, to cancel it or to move it, is passed over, and so
 * are the later rows of its session. Rows that were passed over are noted in the floor and tried again by themselves.
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
    private final String choose;
    private final String chooseLeft;
    private final String move;
    private final String lock;

    ScheduledTable(DSLContext dsl, SchemaName schema, int batchRows) {
        this.dsl = DSL.using(dsl.configuration().deriveAppending(ExecuteListener.onPrepareEnd(ScheduledTable::plan)));
        this.batchRows = batchRows;
        look = ScheduledSql.look(schema);
        choose = ScheduledSql.choose(schema);
        chooseLeft = ScheduledSql.chooseLeft(schema);
        move = ScheduledSql.move(schema);
        lock = "lock table only " + schema.table("outbox_message") + " in row exclusive mode";
    }

    /** Looks what is due beyond the floors, or soon will be. */
    Look look(Collection<DueFloor> floors) {
        var rows = dsl.fetch(
                look,
                texts(floors, DueFloor::destination),
                texts(floors, floor -> floor.place().due()),
                val(floors.stream().map(floor -> floor.place().id()).toArray(Long[]::new)),
                texts(floors, DueFloor::snapshot));
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
     * @return null if it is another one, or was started anew; nothing was moved then
     * @throws WritersExcluded if nobody may write
     */
    @Nullable Batch move(DueFloor floor, String server) {
        var chosen = unlessLocked(
                tx -> {
                    begin(tx);
                    return moveChosen(tx, floor, server);
                },
                Chosen.NOTHING);
        if (chosen == null) {
            return null;
        }
        // Not before the commit: what a transaction that fails has chosen is still where it was.
        return chosen.note(floor);
    }

    private @Nullable Chosen moveChosen(DSLContext tx, DueFloor floor, String server) {
        var rows = tx.fetch(
                choose,
                val(floor.destination()),
                val(floor.place().due()),
                val(floor.place().id()),
                val(floor.snapshot(), SQLDataType.CLOB),
                val(floor.sessions().toArray(String[]::new)),
                val(batchRows));
        var moment = Moment.of(rows.get(0));
        if (!moment.server().equals(server)) {
            return null;
        }
        var choice = new DueChoice(due(rows), batchRows);
        choice.choose(free(tx, floor.destination(), choice.sessions(floor)), floor);
        move(tx, choice.chosen());
        return new Chosen(choice, moment);
    }

    /**
     * Moves rows that were left, of those sessions that are free now; returns how many.
     *
     * @throws WritersExcluded if nobody may write
     */
    int moveLeft(DueFloor floor) {
        List<String> tried = floor.sessions().stream().limit(batchRows).toList();
        var left = unlessLocked(
                tx -> {
                    begin(tx);
                    Set<String> free = free(tx, floor.destination(), tried);
                    return moveLeft(tx, floor, free, floor.loose());
                },
                Left.NOTHING);
        tried.stream().filter(session -> !left.sessions().contains(session)).forEach(session -> {
            floor.leave(session, floor.left(session));
        });
        return left.note(floor);
    }

    /**
     * Moves the first due rows of one session once whoever appends to it has ended.
     *
     * @return how many were moved; 0 if the wait took too long
     */
    int moveOf(DueFloor floor, String session, Duration patience) {
        var left = unlessLocked(
                tx -> {
                    tx.execute(READ_COMMITTED + ";\nset local lock_timeout = " + patience.toMillis());
                    SessionLocks.take(tx, floor.destination(), List.of(session));
                    tx.execute(lock + " nowait");
                    return moveLeft(tx, floor, Set.of(session), Map.of());
                },
                Left.NOTHING);
        return left.note(floor);
    }

    private void begin(DSLContext tx) {
        try {
            tx.execute(READ_COMMITTED + ";\nset local lock_timeout = " + PATIENCE.toMillis() + ";\n" + lock);
        } catch (DataAccessException e) {
            throw LOCK_NOT_AVAILABLE.equals(e.sqlState()) ? new WritersExcluded(e) : e;
        }
    }

    private <T extends @Nullable Object> T unlessLocked(Function<DSLContext, T> transaction, T nothing) {
        try {
            return dsl.transactionResult(tx -> transaction.apply(tx.dsl()));
        } catch (DataAccessException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.sqlState()) || DEADLOCK.equals(e.sqlState())) {
                return nothing;
            }
            throw e;
        }
    }

    /** Fails if the database does not answer. */
    void requireAnswer() {
        dsl.execute("select 1");
    }

    private Left moveLeft(DSLContext tx, DueFloor floor, Set<String> free, Map<Long, String> loose) {
        List<String> sessions = List.copyOf(free);
        var rows = tx.fetch(
                chooseLeft,
                val(floor.destination()),
                texts(sessions, session -> session),
                texts(sessions, session -> floor.left(session).due()),
                val(sessions.stream().map(session -> floor.left(session).id()).toArray(Long[]::new)),
                texts(loose.values(), tid -> tid),
                val(batchRows),
                val(loose.keySet().toArray(Long[]::new)));
        var choice = new DueChoice(due(rows), batchRows);
        choice.choose(free);
        move(tx, choice.chosen());
        return new Left(choice, sessions, loose.keySet());
    }

    private void move(DSLContext tx, List<Due> rows) {
        if (!rows.isEmpty()) {
            tx.execute(move, texts(rows, Due::tid));
        }
    }

    private static Set<String> free(DSLContext tx, String destination, Collection<String> sessions) {
        return SessionLocks.takeFree(tx, destination, sessions);
    }

    private static <T> Field<String[]> texts(Collection<T> things, Function<T, @Nullable String> text) {
        return val(things.stream().map(text).toArray(String[]::new));
    }

    private static List<Due> due(Collection<? extends Record> rows) {
        return rows.stream().flatMap(row -> Stream.ofNullable(Due.of(row))).collect(Collectors.toList());
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
     * @param server another text for another server, and for the same one after a crash or a restart: the
     *     transaction ids of the one mean nothing to the other
     */
    record Moment(String now, String snapshot, boolean isPrimary, String server) {
        static Moment of(Record row) {
            return new Moment(
                    row.get("now", String.class),
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

    /** Rows that a transaction has chosen and moved, and when it looked; nothing of it counts before the commit. */
    private record Chosen(DueChoice choice, @Nullable Moment moment) {
        static final Chosen NOTHING = new Chosen(new DueChoice(List.of(), 1), null);

        Batch note(DueFloor floor) {
            if (moment != null) {
                choice.note(floor, moment);
            }
            return new Batch(choice.chosen().size(), choice.isFull());
        }
    }

    /** Rows that a transaction has chosen and moved, of those that were left behind. */
    private record Left(DueChoice choice, List<String> sessions, Collection<Long> loose) {
        static final Left NOTHING = new Left(new DueChoice(List.of(), 1), List.of(), List.of());

        int note(DueFloor floor) {
            choice.noteLeft(floor, sessions, loose);
            return choice.chosen().size();
        }
    }

    /**
     * A row that is due.
     *
     * @param tid where in the table it is
     * @param locked whether it is ours to move
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
                            new Place(row.get("due", String.class), id),
                            row.get("locked", Boolean.class));
        }
    }
}
