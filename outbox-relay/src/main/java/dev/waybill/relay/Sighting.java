package dev.waybill.relay;

import dev.waybill.relay.Page.Sight;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sight of a read: all that it saw besides rows, which its first row tells. Not thread-safe. */
final class Sighting {
    private static final int SNAPSHOT = 3;
    private static final int UNFLUSHED = 4;
    private static final int DRAWN = 5;
    private static final int CHANGES = 6;
    private static final int SAME = 7;
    private static final int HOLDS_DUE = 8;

    private final WalFlush durability;
    private final boolean waited;
    private @Nullable String snapshot;
    private @Nullable String unflushed;
    private long drawn;
    private long changes;
    private boolean holdsDue;

    /** @param waited whether the server has waited for its log already: nobody else flushes it then */
    Sighting(WalFlush durability, boolean waited) {
        this.durability = durability;
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

    static void requireSame(boolean same) {
        if (!same) {
            throw new ServerChangedException("Another server process answers than the one that was asked before");
        }
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
