package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.Page.Sight;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the outbox table by the snapshot cursor: see the package's invariants for why nothing is missed. Past
 * jOOQ, because of all that a relay does, rendering these statements and making records of their rows would cost
 * most. Not thread-safe.
 */
final class SnapshotCursorReader implements OutboxReader {
    private static final int LATE = 1;
    private static final int FRESH = 2;

    private static final int PART = 1;
    private static final int LANE = 2;
    private static final int SNAPSHOT = 3;
    private static final int UNFLUSHED = 4;
    private static final int DRAWN = 5;
    private static final int CHANGES = 6;
    private static final int SAME = 7;
    private static final int HOLDS_DUE = 8;

    // Of a page, whether it leaves rows of a lane behind and those that it brings follow.
    private static final int MORE = 9;
    private static final int ROWS = 10;

    // Of the head, a row follows.
    private static final int HELD = 9;
    private static final int WHOLE = 10;
    private static final int ROW = 11;

    private final LoopConnection connection;
    private final WalFlush durability;
    private final ReadSql sql;
    private final RingBounds bounds = new RingBounds();

    SnapshotCursorReader(LoopConnection connection, ReadSql sql) {
        this.connection = connection;
        this.durability = new WalFlush(connection);
        this.sql = sql;
    }

    @Override
    public Map<Lane, Cursor> start(Collection<Lane> lanes) {
        var all = List.copyOf(lanes);
        var cursors = new HashMap<Lane, Cursor>();
        connection
                .dsl()
                .fetch(
                        sql.start(),
                        val(all.stream().map(Lane::destination).toArray(String[]::new)),
                        val(all.stream().map(Lane::bucket).toArray(Short[]::new)))
                .forEach(row -> cursors.put(
                        all.get(row.get("lane", Integer.class)),
                        new Cursor(
                                row.get("position", Long.class), row.get("snapshot", String.class), Cursor.UNBOUNDED)));
        return cursors;
    }

    @Override
    public Peek peek() {
        return ask(sql.peek(), statement -> statement.setString(1, connection.token()), rows -> {
            rows.next();
            requireSame(rows.getBoolean(4));
            return new Peek(rows.getString(1), rows.getLong(2), rows.getLong(3));
        });
    }

    @Override
    public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
        var arrays = new CursorArrays(cursors);
        return ask(
                sql.page(cursors.values()),
                statement -> arrays.bind(statement, connection.token(), limit),
                rows -> page(cursors, rows));
    }

    @Override
    public Page readMoreLate(Map<Lane, Cursor> cursors, Page cut, PageLimit limit) {
        var arrays = new CursorArrays(cursors);
        Page rest = ask(
                sql.moreLate(),
                statement -> {
                    int next = arrays.bind(statement, connection.token(), limit);
                    statement.setLong(next, cut.lateCut());
                    statement.setObject(next + 1, cut.snapshot(), Types.OTHER);
                },
                rows -> page(cursors, rows));
        return cut.rest(rest);
    }

    @Override
    public @Nullable Page readHead(Map<Lane, Cursor> cursors, PageLimit limit) {
        @Nullable HeadQuestion question = HeadQuestion.of(cursors, bounds);
        if (question == null) {
            return null;
        }
        return ask(
                        sql.head(
                                RingLayout.slot(question.block()),
                                question.isListed(),
                                isGrown(cursors.values()),
                                connection.maySleep()),
                        statement -> question.bind(statement, connection.token(), limit),
                        rows -> head(cursors, question, HeadQuestion.most(limit), rows))
                .filter(page -> page.isPaused() || RingLayout.of(page.drawn()) == question.block())
                .orElse(null);
    }

    private static boolean isGrown(Collection<Cursor> cursors) {
        for (Cursor cursor : cursors) {
            if (RingLayout.isWellInside(cursor.position())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void recorded(Cursor cursor) {
        bounds.learn(cursor);
    }

    private Page page(Map<Lane, Cursor> cursors, ResultSet rows) throws SQLException {
        var lanes = List.copyOf(cursors.keySet());
        var page = new Page.Builder();
        var sight = new Sighting(false);
        while (rows.next()) {
            int part = rows.getInt(PART);
            Lane lane = lanes.get(rows.getInt(LANE));
            if (part == LATE) {
                addLate(page, lane, new RowArrays(rows, ROWS), rows.getBoolean(MORE));
            } else if (part == FRESH) {
                addFresh(page, lane, new RowArrays(rows, ROWS), rows.getBoolean(MORE));
            } else {
                sight.read(rows);
            }
        }
        return page.build(sight.checked(cursors, page.isEmpty()));
    }

    private static void addLate(Page.Builder page, Lane lane, RowArrays rows, boolean more) {
        for (int row = 0; row < rows.size(); row++) {
            if (rows.isWhole(row)) {
                page.addLate(lane, rows.next(row));
            }
        }
        if (more) {
            page.leaveLate();
        }
    }

    private static void addFresh(Page.Builder page, Lane lane, RowArrays rows, boolean more) {
        for (int row = 0; row < rows.size(); row++) {
            if (rows.isWhole(row)) {
                page.addFresh(lane, rows.next(row));
            }
        }
        if (more) {
            page.leaveFresh(lane);
        }
    }

    /** Empty if there was more than fits. */
    private Optional<Page> head(Map<Lane, Cursor> cursors, HeadQuestion question, int most, ResultSet rows)
            throws SQLException {
        var page = new Page.Builder();
        var sight = new Sighting(connection.maySleep());
        while (rows.next()) {
            if (sight.isEmpty()) {
                sight.read(rows);
            } else {
                sight.readUnflushed(rows);
            }
            int bucket = rows.getInt(LANE);
            if (rows.wasNull()) {
                break;
            }
            if (!rows.getBoolean(WHOLE) || rows.getRow() > most) {
                return Optional.empty();
            }
            Lane lane = question.lane(bucket);
            OutboxRow row = row(rows);
            if (row.seq() <= Objects.requireNonNull(cursors.get(lane)).position()) {
                page.addLate(lane, row);
            } else {
                page.addFresh(lane, row);
            }
        }
        return Optional.of(page.build(sight.checked(cursors, page.isEmpty())));
    }

    private static OutboxRow row(ResultSet row) throws SQLException {
        return new OutboxRow(row, ROW, row.getBoolean(HELD));
    }

    private <T> T ask(String statement, Binding binding, Answer<T> answer) {
        try {
            PreparedStatement prepared = connection.statement(statement);
            binding.bind(prepared);
            try (ResultSet rows = prepared.executeQuery()) {
                return answer.read(rows);
            }
        } catch (SQLException e) {
            throw new DataAccessException("The outbox could not be read: " + e.getMessage(), e);
        }
    }

    private static void requireSame(boolean same) {
        if (!same) {
            throw new ServerChangedException("Another server process answers than the one that was asked before");
        }
    }

    /** Fills a statement's parameters. */
    @FunctionalInterface
    private interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /** Takes what a statement returns. */
    @FunctionalInterface
    private interface Answer<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** The facts about a read, in its first row. */
    private final class Sighting {
        private final boolean waited;
        private @Nullable String snapshot;
        private @Nullable String unflushed;
        private long drawn;
        private long changes;
        private boolean holdsDue;

        /** @param waited whether the server has waited for its log already: nobody else flushes it then */
        Sighting(boolean waited) {
            this.waited = waited;
        }

        boolean isEmpty() {
            return snapshot == null;
        }

        void read(ResultSet row) throws SQLException {
            requireSame(row.getBoolean(SAME));
            snapshot = row.getString(SNAPSHOT);
            unflushed = row.getString(UNFLUSHED);
            drawn = row.getLong(DRAWN);
            changes = row.getLong(CHANGES);
            holdsDue = row.getBoolean(HOLDS_DUE);
        }

        /** A later row knows better how far the log is flushed by now. */
        void readUnflushed(ResultSet row) throws SQLException {
            unflushed = row.getString(UNFLUSHED);
        }

        /** Once nothing of the page can be lost any more, and if the counters fit the cursors. */
        Sight checked(Map<Lane, Cursor> cursors, boolean nothingToSend) throws SQLException {
            String seen = snapshot == null ? "" : snapshot;
            if (!seen.isEmpty()) {
                requireForward(cursors.values(), seen);
            }
            if (unflushed != null && !nothingToSend && waited) {
                durability.flush();
            } else if (unflushed != null && !nothingToSend) {
                durability.await(unflushed);
            }
            return new Sight(seen, drawn, holdsDue, changes);
        }

        private void requireForward(Collection<Cursor> cursors, String seen) {
            long xmax = Snapshot.xmax(seen);
            String known = "";
            for (Cursor cursor : cursors) {
                if (cursor.position() > drawn) {
                    throw new ServerChangedException(
                            "The sequence stands at " + drawn + ", a cursor at " + cursor.position());
                }
                // Most lanes have the same one.
                if (!cursor.snapshot().equals(known) && Snapshot.xmax(cursor.snapshot()) > xmax) {
                    throw new ServerChangedException("The next transaction id is " + xmax + ", a cursor has seen "
                            + Snapshot.xmax(cursor.snapshot()));
                }
                known = cursor.snapshot();
            }
        }
    }
}
