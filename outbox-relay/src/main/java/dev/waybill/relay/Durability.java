package dev.waybill.relay;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * Holds a page back until what it shows cannot be lost any more. With {@code synchronous_commit = off} a row is visible
 * before its commit is on disk; published then, it would be a message without a row after a crash of the server.
 */
final class Durability {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);

    private final DSLContext dsl;

    Durability(DSLContext dsl) {
        this.dsl = dsl;
    }

    /**
     * Waits until the write-ahead log is flushed up to a position.
     *
     * @throws IllegalStateException if it is not after five seconds
     */
    void await(String position) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!isFlushed(position)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "The server has not flushed its log up to " + position + " within " + PATIENCE);
            }
            pause();
        }
    }

    private boolean isFlushed(String position) {
        return dsl.fetchSingle("select pg_current_wal_flush_lsn() >= {0}::pg_lsn", DSL.val(position))
                .get(0, Boolean.class);
    }

    private static void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the server's log", e);
        }
    }
}
