package dev.waybill.relay;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Holds a page back until what it shows cannot be lost any more. With {@code synchronous_commit = off} a row is visible
 * before its commit is on disk; published then, it would be a message without a row after a crash of the server.
 */
final class WalFlush {
    /** Where transactions commit, one of them flushes the log for all in about this time. */
    private static final Duration PATIENCE = Duration.ofMillis(1);

    private static final String IS_FLUSHED = "select pg_current_wal_flush_lsn() >= ?::pg_lsn";

    private static final String FLUSH = "select set_config('synchronous_commit', 'local', true),"
            + " pg_logical_emit_message(true, 'waybill', 'flush')::text";

    private final LoopConnection connection;

    WalFlush(LoopConnection connection) {
        this.connection = connection;
    }

    /**
     * Returns when the write-ahead log is flushed up to a position: by the commits of others or, since a log that nobody
     * commits to stays unflushed for seconds, by a commit of its own.
     */
    void await(String position) throws SQLException {
        pause();
        if (!isFlushed(position)) {
            flush();
        }
    }

    // Past jOOQ, as the flush below: under load, every few reads ask it.
    private boolean isFlushed(String position) throws SQLException {
        PreparedStatement statement = connection.statement(IS_FLUSHED);
        statement.setObject(1, position, Types.OTHER);
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    /**
     * Flushes the log as far as it is written, by a commit. That waits for the log only if its transaction has written to it;
     * the message is the least that can be written.
     */
    void flush() throws SQLException {
        connection.statement(FLUSH).execute();
    }

    private static void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PATIENCE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the server's log", e);
        }
    }
}
