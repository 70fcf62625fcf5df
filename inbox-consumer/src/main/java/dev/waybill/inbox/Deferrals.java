package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were set aside on the broker, where nothing but the sequence number kept here finds them. Immutable and
 * thread-safe.
 */
public final class Deferrals {
    private final String store;
    private final String forget;
    private final String resume;
    private final String wanted;
    private final String again;
    private final String settled;
    private final String forgotten;

    private Deferrals(SchemaName schema) {
        String table = schema.table("inbox_deferral");
        store = "insert into " + table
                + " (key, consumer, message_id, defer_key, session_id, sequence_number, enqueued_at)"
                + " values (?, ?, ?, ?, ?, ?, ?)"
                + " on conflict (key) do update set defer_key = excluded.defer_key,"
                + " sequence_number = excluded.sequence_number, enqueued_at = excluded.enqueued_at,"
                + " deferred_at = clock_timestamp(), resume_at = null, tries = 0";
        forget = "delete from " + table + " where key = ?";
        wanted = "select key, message_id, session_id, sequence_number, tries from " + table
                + " where consumer = ? and resume_at <= clock_timestamp() order by resume_at limit 100";
        again = "update " + table + " set tries = tries + 1,"
                + " resume_at = clock_timestamp() + least(power(2, tries), 300) * interval '1 second'"
                + " where key = ? and resume_at is not null";
        settled = "delete from " + table + " d where d.key = ? and exists (select from " + schema.table("inbox_message")
                + " m where m.key = d.key)";
        forgotten = "select message_id, defer_key, session_id, sequence_number, deferred_at, resume_at, tries from "
                + table + " where consumer = ? and deferred_at < clock_timestamp() - ? * interval '1 millisecond'"
                + " order by deferred_at limit 1000";
        resume = "update " + table + " set resume_at = clock_timestamp(), tries = 0"
                + " where consumer = ? and defer_key = ?";
    }

    /** The deferrals in a schema of Waybill's tables. */
    public static Deferrals in(SchemaName schema) {
        return new Deferrals(schema);
    }

    /**
     * Asks for messages back, in the caller's transaction: once it is committed, the consumer fetches and handles them,
     * inside a session where its owner does.
     *
     * @param deferKey the key given to {@link Verdict#defer}
     * @return how many messages that are
     */
    public int resume(DSLContext tx, String consumer, String deferKey) {
        return tx.connectionResult(connection -> update(connection, resume, consumer, deferKey));
    }

    /** As {@link #resume(DSLContext, String, String)}, in the transaction of a plain connection. */
    public int resume(Connection tx, String consumer, String deferKey) {
        return resume(DSL.using(tx, SQLDialect.POSTGRES), consumer, deferKey);
    }

    /**
     * Messages that have lain deferred for long, oldest first, at most 1,000: nobody has resumed them, or the broker does not
     * find them. None of them is lost on that account: one that the broker was never told to defer is still active there.
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
                row.getString("session_id"),
                row.getLong("sequence_number"),
                row.getObject("deferred_at", OffsetDateTime.class).toInstant(),
                resumeAt == null ? null : resumeAt.toInstant(),
                row.getInt("tries"));
    }

    /** What is to be fetched now. */
    List<Wanted> wanted(Database database, String consumer) throws SQLException {
        return database.list(
                wanted,
                row -> new Wanted(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getInt(5)),
                consumer);
    }

    /** It could not be fetched: tried again later, and later from time to time. */
    void again(Database database, Wanted missed) throws SQLException {
        database.update(again, missed.key());
    }

    /** Forgets the deferral of a message that has been done; returns whether it was. */
    boolean forgetIfDone(Database database, Wanted missed) throws SQLException {
        return database.update(settled, missed.key()) == 1;
    }

    /** A deferred message that somebody wants back. */
    record Wanted(UUID key, String messageId, @Nullable String session, long sequenceNumber, int tries) {}

    int store(Database database, String consumer, InboundMessage message, String deferKey) throws SQLException {
        @Nullable String session = message.session().orElse(null);
        return database.update(
                store,
                InboxKey.of(consumer, message.id()),
                consumer,
                message.id(),
                deferKey,
                session,
                message.sequenceNumber(),
                message.enqueuedAt().atOffset(ZoneOffset.UTC));
    }

    void forget(Connection tx, String consumer, InboundMessage message) throws SQLException {
        update(tx, forget, InboxKey.of(consumer, message.id()));
    }

    private static int update(Connection tx, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
