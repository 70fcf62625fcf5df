package dev.waybill.inbox;

import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.defer.LongDeferrals;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Messages that wait until the application resumes them. The broker finds a deferred message only by the sequence number that is stored
 * here. A message that came out of a hold waits in a hold of its own. Immutable and thread-safe.
 */
public final class Deferrals {
    private final String resume;
    private final LongDeferrals forgotten;

    private Deferrals(SchemaName schema) {
        forgotten = new LongDeferrals(schema);
        String table = schema.table("inbox_deferral");
        resume = "with known as (insert into " + schema.table("inbox_resumption") + " (key, consumer) values (?, ?))"
                + " update " + table + " set resume_at = clock_timestamp(), tries = 0"
                + " where consumer = ? and defer_key = ?";
    }

    public static Deferrals in(SchemaName schema) {
        return new Deferrals(schema);
    }

    /**
     * Resumes messages in the caller's transaction; does not wait for a running handler. After the commit the consumer fetches and
     * handles them, as the owner of their session. It also resumes a message that its handler is deferring concurrently, but cannot
     * count that one: a result of 0 is no reason to resume again.
     *
     * @param deferKey the key given to {@link Verdict#defer}
     * @return how many messages are deferred under this key
     * @throws IllegalArgumentException if no message can be deferred under such a key
     */
    public int resume(DSLContext tx, String consumer, String deferKey) {
        Verdict.defer(deferKey);
        UUID key = InboxKey.of(consumer, deferKey);
        return tx.connectionResult(
                connection -> Database.update(connection, resume, key, consumer, consumer, deferKey));
    }

    /** {@link #resume(DSLContext, String, String)} in the transaction of a plain connection. */
    public int resume(Connection tx, String consumer, String deferKey) {
        return resume(DSL.using(tx, SQLDialect.POSTGRES), consumer, deferKey);
    }

    /**
     * Messages deferred for longer than {@code age}, oldest first, at most 1,000. None is lost: if the broker did not receive the
     * deferral, the message is still active there.
     */
    public List<Deferral> olderThan(DSLContext dsl, String consumer, Duration age) {
        return forgotten.find(dsl, consumer, age);
    }
}
