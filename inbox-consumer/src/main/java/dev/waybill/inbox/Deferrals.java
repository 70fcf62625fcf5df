package dev.waybill.inbox;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were set aside until something else has happened: on the broker, where nothing but the sequence
 * number kept here finds them, or in holds of their own. Immutable and thread-safe.
 */
public final class Deferrals {
    private final Resumptions resumptions;
    private final String resume;
    private final String forgotten;

    private Deferrals(SchemaName schema) {
        resumptions = new Resumptions(schema);
        String table = schema.table("inbox_deferral");
        forgotten = "select message_id, defer_key, session_id, sequence_number, deferred_at, resume_at, tries from "
                + table + " where consumer = ? and deferred_at < clock_timestamp() - ? * interval '1 millisecond'"
                + " order by deferred_at limit 1000";
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
        return dsl.connectionResult(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(forgotten)) {
                statement.setString(1, consumer);
                statement.setLong(2, age.toMillis());
                try (ResultSet rows = statement.executeQuery()) {
                    var deferrals = new ArrayList<Deferral>();
                    while (rows.next()) {
                        deferrals.add(deferral(rows));
                    }
                    return deferrals;
                }
            }
        });
    }

    private static Deferral deferral(ResultSet row) throws SQLException {
        @Nullable OffsetDateTime resumeAt = row.getObject("resume_at", OffsetDateTime.class);
        return new Deferral(
                row.getString("message_id"),
                row.getString("defer_key"),
                new Deferral.Place(row.getString("session_id"), row.getLong("sequence_number")),
                row.getObject("deferred_at", OffsetDateTime.class).toInstant(),
                resumeAt == null ? null : resumeAt.toInstant(),
                row.getInt("tries"));
    }

    /**
     * Where deferred messages are: a session, or one message without.
     *
     * @param alone key of the message; null for a session
     */
    record Place(@Nullable String session, @Nullable UUID alone) {
        static Place of(String session) {
            return new Place(session, null);
        }
    }

    /** Forgets resumptions of consumers that nobody runs any more. */
    void forgetResumptionsOfOthers(Database database) throws SQLException {
        resumptions.forgetOfOthers(database);
    }

    /** A deferred message that somebody wants back. */
    record Wanted(UUID key, String messageId, long sequenceNumber, int tries) {}

    /**
     * An attempt that ended with a deferral.
     *
     * @param snapshot what it could see at least, as PostgreSQL writes it
     * @param since when its transaction began, by the database's clock, as PostgreSQL writes it
     * @param fence under which its session was accepted; null if its message does not come by one
     */
    record Attempted(
            String deferKey,
            @Nullable String snapshot,
            @Nullable String since,
            @Nullable Fence fence,
            Limits limits) {
        static Attempted of(Verdict.Defer verdict, TryResult last, @Nullable Fence fence, Limits limits) {
            return new Attempted(verdict.key(), last.snapshot(), last.since(), fence, limits);
        }

        String lockTimeout() {
            return limits.lockTimeout.toMillis() + "ms";
        }
    }

    /**
     * How long things may take.
     *
     * @param lockTimeout to wait for a transaction that resumes the message
     * @param longest an attempt, until it is not known any more what it may have missed
     */
    record Limits(Duration lockTimeout, Duration longest) {}
}
