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
 * Messages that were set aside until something else has happened: on the broker, where nothing but the sequence
 * number kept here finds them, or in holds of their own. Immutable and thread-safe.
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

    /** The deferrals in a schema of Waybill's tables. */
    public static Deferrals in(SchemaName schema) {
        return new Deferrals(schema);
    }

    /**
     * Asks for messages back, in the caller's transaction: once it is committed, the consumer fetches and handles
     * them, inside a session as its owner. A message whose handler is about to defer it, and cannot have seen this
     * transaction, is resumed too, although it is not counted yet; so 0 is no reason to resume again. Waits for no
     * handler.
     *
     * @param deferKey the key given to {@link Verdict#defer}
     * @return how many messages are deferred by this key
     */
    public int resume(DSLContext tx, String consumer, String deferKey) {
        UUID key = InboxKey.of(consumer, deferKey);
        return tx.connectionResult(
                connection -> Database.update(connection, resume, key, consumer, consumer, deferKey));
    }

    /** As {@link #resume(DSLContext, String, String)}, in the transaction of a plain connection. */
    public int resume(Connection tx, String consumer, String deferKey) {
        return resume(DSL.using(tx, SQLDialect.POSTGRES), consumer, deferKey);
    }

    /**
     * Messages that have lain deferred for long, oldest first, at most 1,000: nobody has resumed them, or the
     * broker does not find them. None of them is lost on that account: one that the broker was never told to defer
     * is still active there.
     */
    public List<Deferral> olderThan(DSLContext dsl, String consumer, Duration age) {
        return forgotten.find(dsl, consumer, age);
    }
}
