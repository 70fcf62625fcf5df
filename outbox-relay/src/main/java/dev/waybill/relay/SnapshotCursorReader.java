package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.relay.ReadSql.Fit;
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

    // Columns 3 to 8 tell what a read saw.
    private static final int PART = 1;
    private static final int LANE = 2;

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
    private final RecentWeights weights = new RecentWeights();
    private final EmptyBlocks emptyBlocks;

    SnapshotCursorReader(LoopConnection connection, ReadSql sql) {
        this.connection = connection;
        this.durability = new WalFlush(connection);
        this.sql = sql;
        this.emptyBlocks = new EmptyBlocks(connection, sql);
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
            Sighting.requireSame(rows.getBoolean(4));
            return new Peek(rows.getString(1), rows.getLong(2), rows.getLong(3));
        });
    }

    @Override
    public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
        return emptyBlocks.over(readBlocks(cursors, limit), cursors);
    }

    private Page readBlocks(Map<Lane, Cursor> cursors, PageLimit limit) {
        var arrays = new CursorArrays(cursors);
        if (!limit.atLeastOne() && weights.areWithin(limit.share())) {
            Optional<Page> page = read(arrays, cursors, limit, Fit.SHARE);
            if (page.isPresent()) {
                return page.get();
            }
            weights.areBeyond(limit.share());
        }
        Page page = read(arrays, cursors, limit, Fit.SUM).orElseThrow();
        weights.saw(page);
        return page;
    }

    private Optional<Page> read(CursorArrays arrays, Map<Lane, Cursor> cursors, PageLimit limit, Fit fit) {
        return ask(
                sql.page(cursors.values(), fit),
                statement -> arrays.bind(statement, connection.token(), limit),
                rows -> page(cursors, rows, fit));
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
                rows -> page(cursors, rows, Fit.SUM).orElseThrow());
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

    /** Empty if a row has more than its share. */
    private Optional<Page> page(Map<Lane, Cursor> cursors, ResultSet rows, Fit fit) throws SQLException {
        var lanes = List.copyOf(cursors.keySet());
        var page = new Page.Builder();
        var sight = new Sighting(durability, false);
        while (rows.next()) {
            int part = rows.getInt(PART);
            if (part != LATE && part != FRESH) {
                sight.read(rows);
                continue;
            }
            Lane lane = lanes.get(rows.getInt(LANE));
            var known = new RowArrays(rows, ROWS);
            if (part == LATE) {
                addLate(page, lane, known, rows.getBoolean(MORE));
            } else if (fit == Fit.SUM || known.areWhole()) {
                addFresh(page, lane, known, rows.getBoolean(MORE));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(page.build(sight.checked(cursors, page.isEmpty())));
    }

    private static void addLate(Page.Builder page, Lane lane, RowArrays known, boolean more) {
        page.addLate(lane, known.whole());
        if (more) {
            page.leaveLate(known.last());
        }
    }

    private static void addFresh(Page.Builder page, Lane lane, RowArrays known, boolean more) {
        page.addFresh(lane, known.whole());
        if (more) {
            page.leaveFresh(lane, known.last());
        }
    }

    /** Empty if there was more than fits. */
    private Optional<Page> head(Map<Lane, Cursor> cursors, HeadQuestion question, int most, ResultSet rows)
            throws SQLException {
        var page = new Page.Builder();
        var sight = new Sighting(durability, connection.maySleep());
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
                page.addLate(lane, List.of(row));
            } else {
                page.addFresh(lane, List.of(row));
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
}
