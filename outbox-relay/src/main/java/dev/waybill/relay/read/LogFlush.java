package dev.waybill.relay.read;

import dev.waybill.relay.connect.LoopConnection;
import java.util.concurrent.TimeUnit;

/**
 * Delays rows until a crash of the server cannot undo their commits. With {@code synchronous_commit = off} a row is visible
 * before its commit is on disk; publishing it then could send a message without a row. Confined to the loop's thread.
 */
public final class LogFlush {
    /** On a busy server, another commit flushes the log within about this time. */
    private static final long PATIENCE_MILLIS = 1;

    private static final String IS_FLUSHED = "select pg_current_wal_flush_lsn() >= ?::text::pg_lsn";

    // A commit only flushes the log if its transaction has written to it; this message is the smallest record.
    private static final String FLUSH = "select set_config('synchronous_commit', 'local', true),"
            + " pg_logical_emit_message(true, 'waybill', 'flush')::text";

    private final LoopConnection connection;

    public LogFlush(LoopConnection connection) {
        this.connection = connection;
    }

    /** Returns when the log is flushed up to a position, by other commits or its own. */
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
