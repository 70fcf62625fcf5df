package dev.waybill.relay;

import dev.waybill.supervision.OutsideFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;

/**
 * The connections that the loops of one relay keep. A relay needs one more from time to time, for its signs of life among
 * others: if the loops kept all that the pool has, none of them might publish anything. So where the pool has too few, some
 * loops get none, and try again. Thread-safe.
 */
final class LoopConnections {
    /** For signs of life and all that is done in moments. */
    private static final int FOR_MOMENTS = 1;

    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(10);

    /** Short, because whoever counts keeps all others waiting. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final DSLContext pool;
    private final int loops;
    private final int listeners;
    private final LongSupplier nanoTime;
    private final AtomicBoolean checking = new AtomicBoolean();
    private int kept;
    private int taking;
    private int listening;
    private int changes;
    private int most = Integer.MAX_VALUE;
    private long checkedAt;

    /**
     * Connections of a pool of which nobody has counted how many it has.
     *
     * @param loops how many of them there are
     * @param listeners how many more keep a connection
     */
    LoopConnections(DSLContext pool, int loops, int listeners, LongSupplier nanoTime) {
        this.pool = pool;
        this.loops = loops;
        this.listeners = listeners;
        this.nanoTime = nanoTime;
    }

    /** Counts what the pool has before anything is kept; tells in the log if it is too little. */
    void count(Duration patience) throws InterruptedException {
        int beside = listeners + FOR_MOMENTS;
        int found = PoolCheck.run(pool.configuration().connectionProvider(), loops + beside, patience);
        allow(found < loops + beside ? Math.max(0, found - beside) : Integer.MAX_VALUE);
    }

    private synchronized void allow(int newMost) {
        most = newMost;
        checkedAt = nanoTime.getAsLong();
    }

    /**
     * Takes a connection for as long as the loop trusts it.
     *
     * @throws IllegalStateException if the pool has too few, or its server is a standby
     * @throws org.jooq.exception.DataAccessException if there is none
     */
    LoopConnection open() {
        if (!keep() && !(countAgain() && keep())) {
            throw new TooFew("The pool has too few connections: other destinations keep " + kept()
                    + ", and one must be left for signs of life");
        }
        try {
            return LoopConnection.open(pool, this::givenBack);
        } catch (RuntimeException | Error e) {
            givenBack();
            throw e;
        } finally {
            taken();
        }
    }

    private synchronized boolean keep() {
        if (kept >= most) {
            return false;
        }
        kept++;
        taking++;
        changes++;
        return true;
    }

    private synchronized int kept() {
        return kept;
    }

    private synchronized void taken() {
        taking--;
        changes++;
    }

    private synchronized void givenBack() {
        kept--;
        changes++;
    }

    /** A listener has taken its connection, or is about to give it back. */
    synchronized void listening(boolean begins) {
        listening += begins ? 1 : -1;
        changes++;
    }

    // By one loop for all.
    private boolean countAgain() {
        if (!isCheckDue() || !checking.compareAndSet(false, true)) {
            return false;
        }
        try {
            Keeping before = keeping();
            int beside = listeners - before.listening + FOR_MOMENTS;
            int wanted = loops - before.loops + beside;
            int found = PoolCheck.count(pool.configuration().connectionProvider(), wanted, PATIENCE);
            allowUnlessChanged(before, found < wanted ? before.loops + Math.max(0, found - beside) : Integer.MAX_VALUE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            checking.set(false);
        }
    }

    private synchronized Keeping keeping() {
        return new Keeping(kept, listening, changes);
    }

    // Those that were given back or taken meanwhile may have been counted or not, and those that are promised but not
    // taken yet were counted as free.
    private synchronized void allowUnlessChanged(Keeping before, int newMost) {
        allow(before.changes == changes && taking == 0 ? newMost : most);
    }

    private record Keeping(int loops, int listening, int changes) {}

    private synchronized boolean isCheckDue() {
        return nanoTime.getAsLong() - checkedAt >= BETWEEN_CHECKS.toNanos();
    }

    /** The pool is too small, or others use it. */
    private static final class TooFew extends IllegalStateException implements OutsideFailure {
        private static final long serialVersionUID = 1L;

        TooFew(String why) {
            super(why);
        }
    }
}
