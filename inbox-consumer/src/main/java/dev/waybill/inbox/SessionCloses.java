package dev.waybill.inbox;

import dev.waybill.schema.SchemaName;
import java.sql.SQLException;

/**
 * Counts how often in a row a session was given back because one message would not be done: the broker's delivery count
 * does not rise by that, so without a count of our own it could go on for ever unseen. Thread-safe.
 */
final class SessionCloses {
    private final Database database;
    private final String consumer;
    private final String entity;
    private final String count;

    SessionCloses(Database database, SchemaName schema, String consumer, String entity) {
        this.database = database;
        this.consumer = consumer;
        this.entity = entity;
        count = "with durable as (select " + SessionLock.DURABLE + ") insert into " + schema.table("inbox_session")
                + " as known (consumer, entity, session_id, message_key, closes) select ?, ?, ?, ?, 1 from durable"
                + " on conflict (consumer, entity, session_id) do update set"
                + " closes = case when known.message_key = excluded.message_key then known.closes + 1 else 1 end,"
                + " message_key = excluded.message_key, closed_at = clock_timestamp()"
                + " returning closes";
    }

    /** Counts one more; returns how many there are by now. */
    int count(String session, InboundMessage message) throws SQLException {
        // A digest: names with characters that no column takes are to be counted, too.
        return database.number(
                count,
                consumer,
                entity,
                InboxKey.ofSession(consumer, entity, session).toString(),
                InboxKey.ofCopy(consumer, message));
    }
}
