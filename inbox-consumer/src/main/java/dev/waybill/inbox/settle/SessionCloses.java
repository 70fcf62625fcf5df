package dev.waybill.inbox.settle;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;

/**
 * Counts how often in a row one message caused its session to be given back. The broker's delivery count does not rise then, so such a
 * message would fail unnoticed for ever. Resumed messages have a separate count: they alternate with new messages, and each would reset
 * the other's count. Thread-safe.
 */
public final class SessionCloses {
    private static final String RESUMED = "\0resumed";

    private final Fencing fencing;
    private final String consumer;
    private final String entity;
    private final OptionalTable deferrals;
    private final Fencing.Change count;
    private final Fencing.Change countWithoutDeferrals;

    public SessionCloses(Fencing fencing, SchemaName schema, String consumer, String entity) {
        this.fencing = fencing;
        this.consumer = consumer;
        this.entity = entity;
        deferrals = new OptionalTable(schema, "inbox_deferral");
        count = fencing.change(count(schema, schema.table("inbox_deferral")));
        countWithoutDeferrals = fencing.change(count(schema, DeferralTable.NONE));
    }

    private static String count(SchemaName schema, String deferred) {
        return "insert into " + schema.table("inbox_session")
                + " as known (consumer, entity, session_id, message_key, closes)"
                + " select ?, ?, case when exists (select from " + deferred
                + " where key = ? and sequence_number = ? and hold_id is null) then ? else ? end, ?::uuid, 1 from fenced"
                + " on conflict (consumer, entity, session_id) do update set"
                + " closes = case when known.message_key = excluded.message_key then known.closes + 1 else 1 end,"
                + " message_key = excluded.message_key, closed_at = clock_timestamp()"
                + " returning closes as answer";
    }

    /** Increments and returns the count; throws {@link LockLostException} if the session has a later owner. */
    public int count(Settlements settling, InboundMessage message) throws SQLException {
        // Digests, because names may contain characters that no column stores.
        String session = settling.session().orElse("");
        return fencing.make(
                        fencing.isInstalled(deferrals) ? count : countWithoutDeferrals,
                        settling.fence(),
                        consumer,
                        entity,
                        InboxKey.of(consumer, message.id()),
                        message.sequenceNumber(),
                        InboxKey.ofSession(consumer, entity, session + RESUMED).toString(),
                        InboxKey.ofSession(consumer, entity, session).toString(),
                        InboxKey.ofCopy(consumer, message))
                .answer();
    }
}
