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
 * The keys that clients send with their requests, such as the header {@code Idempotency-Key}, so that a request that comes
 * again has no second effect and gets the first answer. A key is bound to the request that it came with first.
 *
 * <p>Keys belong to an owner, such as an HTTP resource; two owners may have the same key. Immutable and thread-safe.
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

    /**
     * The keys of one owner in a schema of Waybill's tables.
     *
     * @param owner of the application's choice, such as {@code POST /debits}; not the name of a consumer
     */
    public static IdempotencyKeys of(SchemaName schema, String owner) {
        return new IdempotencyKeys(schema, owner, DEFAULT_KEEP);
    }

    /**
     * The same with another time for which {@link #prune} keeps keys and answers.
     *
     * @param keep longer than any client repeats a request; Default: {@link #DEFAULT_KEEP}
     * @throws IllegalArgumentException if it is not positive
     */
    public IdempotencyKeys keepFor(Duration keep) {
        if (keep.isNegative() || keep.isZero()) {
            throw new IllegalArgumentException("Keys are kept for some time, not for " + keep);
        }
        return new IdempotencyKeys(schema, owner, keep);
    }

    /**
     * Does something once per key, and gives the first time's answer every time. If another transaction has the same key in
     * hand, waits for its end. In READ COMMITTED; elsewhere a concurrent request fails with SQLSTATE 40001.
     *
     * @param request what makes the request what it is, as a rule method, path and body; only a digest of it is stored
     * @param work what to do in this transaction; key and answer are stored in it
     * @return the answer of the first time
     * @throws IdempotencyKeyReusedException if the key came with another request before; nothing was done
     * @throws IllegalStateException on a connection in auto-commit mode
     */
    public Response once(DSLContext tx, String key, byte[] request, Supplier<Response> work) {
        return inbox.once(tx, owner, key, digest(request), work);
    }

    /** As {@link #once(DSLContext, String, byte[], Supplier)}, in the transaction of a plain connection. */
    public Response once(Connection tx, String key, byte[] request, Supplier<Response> work) {
        return once(DSL.using(tx, SQLDialect.POSTGRES), key, request, work);
    }

    /**
     * Removes the owner's keys that are older than they are to be kept, with their answers: some at a time, each time in a
     * transaction of its own. To be called from time to time, by whoever likes to. Needs the grants of a consumer.
     *
     * @param dryRun takes everything back again
     * @return how many keys were, or would be, removed
     * @throws IllegalStateException if the owner is a consumer too, whose ids its messages need; see {@link InboxMaintenance#prune}
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
