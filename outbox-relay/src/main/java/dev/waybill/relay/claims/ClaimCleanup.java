package dev.waybill.relay.claims;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.schema.DriverConnection;
import dev.waybill.supervision.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the bodies that were kept outside their messages, a retention after the relay has found the message published. Any
 * number of relays may do so side by side. Not thread-safe: one thread calls {@link #step()}.
 */
public final class ClaimCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimCleanup.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration LOOK_INTERVAL = Duration.ofHours(1);
    private static final Duration REST_WITH_MORE_TO_DO = Duration.ofMillis(100);

    private final DSLContext dsl;
    private final ClaimTable table;
    private final ClaimStore store;
    private final Duration retention;
    private final int chunk;
    private final LongSupplier nanoTime;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private final Fault standstill = new Fault(LOG, System::nanoTime);
    private volatile long calledAt;
    private volatile boolean called;
    private UUID looked = ClaimTable.START;
    private long lookedAt;

    /** @param chunk most claims to look at, and to remove, in one step */
    public ClaimCleanup(
            DSLContext dsl, ClaimTable table, ClaimStore store, Duration retention, int chunk, LongSupplier nanoTime) {
        this.dsl = dsl;
        this.table = table;
        this.store = store;
        this.retention = retention;
        this.chunk = chunk;
        this.nanoTime = nanoTime;
        lookedAt = nanoTime.getAsLong() - LOOK_INTERVAL.toNanos();
    }

    /** The failures of its steps. */
    public Fault fault() {
        return fault;
    }

    /** Takes one step and says how long to rest; a failure is told and waited out, never thrown. */
    public Duration step() {
        try {
            noteForgotten();
            table.expire(retention, chunk);
            int removed = remove(table.removing(chunk));
            fault.over("Bodies that nobody needs any more are removed again");
            return removed == chunk || !looked.equals(ClaimTable.START) ? REST_WITH_MORE_TO_DO : INTERVAL;
        } catch (RuntimeException e) {
            fault.met("Bodies that nobody needs any more could not be removed, and it is tried again", e);
            return INTERVAL;
        }
    }

    private void noteForgotten() {
        if (nanoTime.getAsLong() - lookedAt >= LOOK_INTERVAL.toNanos() || !looked.equals(ClaimTable.START)) {
            lookedAt = nanoTime.getAsLong();
            looked = table.noteForgotten(looked, chunk);
        }
    }

    // The body goes first: what is left after a crash is a claim that is removed again.
    private int remove(List<UUID> claims) {
        if (!claims.isEmpty()) {
            calledAt = nanoTime.getAsLong();
            called = true;
            try {
                dsl.connection(connection -> removeBodies(connection, claims));
            } finally {
                called = false;
            }
            standstill.over("The claim store answers again");
            table.delete(claims);
        }
        return claims.size();
    }

    private void removeBodies(Connection connection, List<UUID> claims) throws SQLException {
        boolean left;
        try {
            store.remove(connection, claims);
        } finally {
            left = takeBackWhatIsOpen(connection);
        }
        if (left) {
            throw new IllegalStateException(
                    "The claim store has left the relay's connection out of auto-commit mode or in a"
                            + " transaction, and what it did there was taken back");
        }
    }

    // The pool would undo a transaction that the store has not committed, after the claim is deleted.
    private static boolean takeBackWhatIsOpen(Connection connection) throws SQLException {
        if (connection.isClosed() || (connection.getAutoCommit() && !DriverConnection.isInTransaction(connection))) {
            return false;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("rollback");
        }
        connection.setAutoCommit(true);
        return true;
    }

    /** Tells if the store has been at work on one call for longer than a minute. From any thread. */
    public void tellStandstill() {
        if (called && nanoTime.getAsLong() - calledAt > LONG.toNanos()) {
            standstill.met(
                    "Bodies that nobody needs any more stay, and a stop of the relay waits for the claim store",
                    "its remove() has not returned for longer than " + LONG.toSeconds() + " s");
        }
    }
}
