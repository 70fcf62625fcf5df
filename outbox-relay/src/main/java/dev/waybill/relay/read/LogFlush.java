package dev.waybill.relay.read;

import dev.waybill.relay.connect.LoopConnection;
import java.util.concurrent.TimeUnit;

/**
 * Holds rows back until a crash of the server cannot take them back. With {@code synchronous_commit = off} a row is visible before
 * its commit is on disk; published then, it would be a message without a row. Confined to the loop's thread.
 */
public final class LogFlush {
    /** Where transactions commit, one of them flushes the log for all in about this time. */
    private static final long PATIENCE_MILLIS = 1;

    private static final String IS_FLUSHED = "select pg_current_wal_flush_lsn() >= ?::text::pg_lsn";

    // A commit waits for the log only if its transaction has written to it; the message is the least that can be
    // written.
    private static final String FLUSH = "select set_config('synchronous_commit', 'local', true),"
            + " pg_logical_emit_message(true, 'waybill', 'flush')::text";

    private final LoopConnection connection;

    /** On the loop's connection. */
    public LogFlush(LoopConnection connection) {
        this.connection = connection;
    }

    /** Returns when the log is flushed up to a position: by commits of others, or else by one of its own. */
    public void await(String position) {
        if (!isFlushed(position)) {
            pause();
            if (!isFlushed(position)) {
                connection.runPlain(FLUSH, (open, statement) -> {}, rows -> rows.next());
            }
        }
    }

    private boolean isFlushed(String position) {
        return connection.runPlain(IS_FLUSHED, (open, statement) -> statement.setString(1, position), row -> {
            row.next();
            return row.getBoolean(1);
        });
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the server's log", e);
        }
    }
}
