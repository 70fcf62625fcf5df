package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
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

    private Deferrals(SchemaName schema) {
        String table = schema.table("inbox_deferral");
        store = "insert into " + table
                + " (key, consumer, message_id, defer_key, session_id, sequence_number, enqueued_at)"
                + " values (?, ?, ?, ?, ?, ?, ?)"
                + " on conflict (key) do update set defer_key = excluded.defer_key,"
                + " sequence_number = excluded.sequence_number, enqueued_at = excluded.enqueued_at,"
                + " deferred_at = clock_timestamp(), resume_at = null, tries = 0";
        forget = "delete from " + table + " where key = ?";
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
