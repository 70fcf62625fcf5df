package dev.waybill.inbox;

import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.run.CleanUp;
import dev.waybill.schema.SchemaName;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * Idempotency keys of client requests, such as the HTTP header {@code Idempotency-Key}. A repeated request has no second effect and
 * gets the first response. Each key is bound to its first request, and to an owner, such as an HTTP resource. Immutable and
 * thread-safe.
 */
public final class IdempotencyKeys {
    /** 30 days. */
    public static final Duration DEFAULT_KEEP = Duration.ofDays(30);

    private final SchemaName schema;
    private final String owner;
    private final Duration keep;
    private final Inbox inbox;

    private IdempotencyKeys(SchemaName schema, String owner, Duration keep) {
        this.schema = schema;
        this.owner = owner;
        this.keep = keep;
        this.inbox = Inbox.in(schema);
    }

    /** The keys of one owner, a name chosen by the application such as {@code POST /debits}; not the name of a consumer. */
    public static IdempotencyKeys of(SchemaName schema, String owner) {
        return new IdempotencyKeys(schema, owner, DEFAULT_KEEP);
    }

    /**
     * Sets how long {@link #prune} keeps keys: longer than any client repeats a request. Default: {@link #DEFAULT_KEEP}. Must be
     * positive.
     */
    public IdempotencyKeys keepFor(Duration keep) {
        if (keep.isNegative() || keep.isZero()) {
            throw new IllegalArgumentException("The time to keep keys must be positive, not " + keep);
        }
        return new IdempotencyKeys(schema, owner, keep);
    }

    /**
     * Runs the work once per key and returns the first response each time. Waits for the end of a transaction that is processing the
     * same key. Use READ COMMITTED; at other levels a concurrent request fails with SQLSTATE 40001.
     *
     * @param request the bytes that identify the request, usually method, path and body; only a digest is stored
     * @param work runs in this transaction, which also stores key and response
     * @throws IdempotencyKeyReusedException if the key came with another request before; the work does not run
     * @throws IllegalStateException on a connection in auto-commit mode
     */
    public Response once(DSLContext tx, String key, byte[] request, Supplier<Response> work) {
        return inbox.once(tx, owner, key, digest(request), work);
    }

    /** {@link #once(DSLContext, String, byte[], Supplier)} in the transaction of a plain connection. */
    public Response once(Connection tx, String key, byte[] request, Supplier<Response> work) {
        return once(DSL.using(tx, SQLDialect.POSTGRES), key, request, work);
    }

    /**
     * Removes the owner's expired keys and their responses in batches, each in its own transaction. The application calls this
     * regularly. Needs the grants of a consumer.
     *
     * @param dryRun rolls every batch back
     * @return how many keys were removed, or would be
     * @throws IllegalStateException if the owner is also a consumer, which needs its ids; see {@link InboxMaintenance#prune}
     */
    public long prune(DataSource dataSource, boolean dryRun) {
        var retention = new Retention(keep, keep, Duration.ZERO, Duration.ZERO);
        try {
            return new CleanUp(new Database(dataSource), schema, owner, retention).pruneKeys(dryRun);
        } catch (SQLException e) {
            throw new DataAccessException("The keys of '" + owner + "' could not be pruned", e);
        }
    }

    private static byte[] digest(byte[] request) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(request);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
