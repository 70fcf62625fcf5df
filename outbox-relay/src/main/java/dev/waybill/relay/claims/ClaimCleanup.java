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

/** Deletes bodies from the claim store after their retention. Relays may do so at the same time. Not thread-safe. */
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

    /** @param chunk most claims to check and to delete in a step */
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

    public Fault fault() {
        return fault;
    }

    /** Returns the pause until the next step. Logs a failure instead of throwing it. */
    public Duration step() {
        try {
            noteForgotten();
            table.expire(retention, chunk);
            int removed = remove(table.removing(chunk));
            fault.recovered("Expired bodies are deleted from the claim store again");
            return removed == chunk || !looked.equals(ClaimTable.START) ? REST_WITH_MORE_TO_DO : INTERVAL;
        } catch (RuntimeException e) {
            fault.failed("Expired bodies could not be deleted from the claim store; the relay retries", e);
            return INTERVAL;
        }
    }

    private void noteForgotten() {
        if (nanoTime.getAsLong() - lookedAt >= LOOK_INTERVAL.toNanos() || !looked.equals(ClaimTable.START)) {
            lookedAt = nanoTime.getAsLong();
            looked = table.noteForgotten(looked, chunk);
        }
    }

    // Deletes the body first: after a crash the claim remains, and is deleted later.
    private int remove(List<UUID> claims) {
        if (!claims.isEmpty()) {
            calledAt = nanoTime.getAsLong();
            called = true;
            try {
                dsl.connection(connection -> removeBodies(connection, claims));
            } finally {
                called = false;
            }
            standstill.recovered("The claim store responds again");
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
                    "The claim store returned the relay's connection without auto-commit or in a"
                            + " transaction, which was rolled back; commit or roll back in remove()");
        }
    }

    // Otherwise the pool would roll back the store's open transaction after the claim is deleted.
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

    /** Logs a call of the store that takes longer than a minute. For any thread. */
    public void logStandstill() {
        if (called && nanoTime.getAsLong() - calledAt > LONG.toNanos()) {
            standstill.failed(
                    "Deleting expired bodies hangs, and so will a stop of the relay",
                    "the claim store's remove() has run for more than " + LONG.toSeconds() + " s");
        }
    }
}
