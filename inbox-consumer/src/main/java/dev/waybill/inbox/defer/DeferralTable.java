package dev.waybill.inbox.defer;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.inbox.heartbeat.ConsumerHeartbeat;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's deferrals, as changed by the owners of their messages. On the broker a deferral is one copy of a message, identified by
 * its sequence number; other copies are independent of it. Thread-safe.
 */
public final class DeferralTable {
    /** Replaces the table if it is not installed. */
    public static final String NONE = """
            (select null::uuid as key, null::text as consumer, null::text as session_id, null::bigint as sequence_number,
                null::timestamptz as resume_at, null::bigint as hold_id where false) as none""";

    /** Equal to {@link dev.waybill.message.BrokerNames#key}; the index has this expression. */
    public static final String SESSION_KEY = "lower(session_id collate \"C\")";

    private final Database database;
    private final Fencing fencing;
    private final Resumptions resumptions;
    private final String consumer;
    private final OptionalTable table;
    private final Fencing.Change store;
    private final Fencing.Change leaving;
    private final Fencing.Change again;
    private final Fencing.Change postpone;
    private final Fencing.Change settled;
    private final String storeHeld;
    private final String otherCopy;
    private final String forget;
    private final String resumeOtherCopy;
    private final String forgetLeft;
    private final String wanted;
    private final String wantedOf;

    public DeferralTable(Database database, SchemaName schema, String consumer, Fencing fencing) {
        this.database = database;
        this.consumer = consumer;
        this.fencing = fencing;
        resumptions = new Resumptions(schema);
        this.table = new OptionalTable(schema, "inbox_deferral");
        String table = schema.table("inbox_deferral");
        String copy = " where d.key = ? and d.sequence_number = ?";
        // A resumed deferral stays resumed until it is judged: if this process ends before that, the message is fetched
        // again.
        store = fencing.change("insert into " + table
                + " as known (key, consumer, message_id, defer_key, session_id, sequence_number, enqueued_at, resume_key)"
                + " select ?::uuid, ?, ?, ?, ?, ?, ?, ?::uuid from fenced"
                + " on conflict (key) do update set defer_key = excluded.defer_key, resume_key = excluded.resume_key,"
                + " sequence_number = excluded.sequence_number, enqueued_at = excluded.enqueued_at,"
                + " hold_id = null, gone_by = null, deferred_at = clock_timestamp() returning 1 as answer");
        leaving = fencing.change("update " + table + " d set gone_by = clock_timestamp() + "
                + ConsumerHeartbeat.longestAttempt(schema) + " * interval '1 millisecond' from fenced" + copy
                + " and hold_id is null returning 1 as answer");
        again = fencing.change("update " + table + " d set tries = tries + 1,"
                + " resume_at = clock_timestamp() + least(power(2, tries), 300) * interval '1 second' from fenced"
                + copy
                + " and resume_at is not null returning 1 as answer");
        // All to one time, or the next message would overtake the failed one.
        postpone = fencing.change("update " + table + " d set tries = tries + 1,"
                + " resume_at = now() + least(power(2, ?), 300) * interval '1 second' from fenced"
                + " where consumer = ? and (" + SESSION_KEY
                + " = ? or d.key = ?) and hold_id is null and resume_at is not null"
                + " returning 1 as answer");
        settled = fencing.change("delete from " + table + " d using fenced" + copy + " and (exists (select from "
                + schema.table("inbox_message") + " m where m.key = d.key) or d.gone_by < clock_timestamp())"
                + " returning 1 as answer");
        // If this process ends before the deferral is judged, the hold is due soon.
        storeHeld = "insert into " + table
                + " as known (key, consumer, message_id, defer_key, session_id, sequence_number, enqueued_at, resume_key,"
                + " hold_id, resume_at)"
                + " select ?::uuid, ?, ?, ?, ?, ?, ?, ?::uuid, ?, clock_timestamp() + interval '10 seconds'"
                + " from (select set_config('lock_timeout', ?, true)) bounded"
                + " on conflict (key) do update set resume_key = excluded.resume_key, hold_id = excluded.hold_id,"
                + " defer_key = excluded.defer_key, resume_at = excluded.resume_at, gone_by = null,"
                + " deferred_at = case when known.defer_key = excluded.defer_key and known.resume_at is null"
                + " then known.deferred_at else clock_timestamp() end";
        otherCopy = "select sequence_number from " + table
                + " where key = ? and sequence_number <> ? and hold_id is null and gone_by is null";
        forget = "delete from " + table + " where key = ? and sequence_number = ?";
        resumeOtherCopy = "update " + table + " set resume_at = clock_timestamp(), tries = 0"
                + " where key = ? and sequence_number <> ? and hold_id is null";
        forgetLeft = forget + " and hold_id is null";
        String due = " and hold_id is null and resume_at <= clock_timestamp()";
        wanted = "select " + SESSION_KEY
                + ", case when session_id is null then key end as alone, min(resume_at) as since from " + table
                + " where consumer = ?" + due + " group by 1, 2 order by since limit 1000";
        // Postponed messages before a due one are tried too, or it would overtake them.
        String here = " where consumer = ? and (" + SESSION_KEY + " = ? or key = ?)";
        wantedOf = "select key, message_id, sequence_number, tries from " + table + here
                + " and hold_id is null and resume_at is not null and sequence_number > ?"
                + " and sequence_number <= (select max(sequence_number) from " + table + here + due + ")"
                + " order by sequence_number limit 100";
    }

    /** The places with messages to fetch now, longest wait first, at most 1,000. */
    public List<ResumePlace> wanted() throws SQLException {
        return !table.isInstalled(database)
                ? List.of()
                : database.list(
                        wanted, row -> new ResumePlace(row.getString(1), row.getObject(2, UUID.class)), consumer);
    }

    /** The messages to fetch now from one place, in the session's order. */
    public List<WantedMessage> wanted(ResumePlace place) throws SQLException {
        return wanted(place, Long.MIN_VALUE);
    }

    /** The messages after a sequence number, at most 100; empty only at the end. Includes a postponed message if a later one is due. */
    public List<WantedMessage> wanted(ResumePlace place, long after) throws SQLException {
        return database.list(
                wantedOf,
                row -> new WantedMessage(row.getObject(1, UUID.class), row.getString(2), row.getLong(3), row.getInt(4)),
                consumer,
                place.session(),
                place.alone(),
                after,
                consumer,
                place.session(),
                place.alone());
    }

    /** Backs off all resumed messages of a place, longer with each attempt. */
    public void postpone(ResumePlace place, WantedMessage failed, @Nullable Fence fence) throws SQLException {
        fencing.make(postpone, fence, failed.tries(), consumer, place.session(), place.alone());
    }

    /** Backs off a message that was not found, longer with each attempt. */
    public void again(WantedMessage missed, @Nullable Fence fence) throws SQLException {
        fencing.make(again, fence, missed.key(), missed.sequenceNumber());
    }

    // Applies to a missing message that is done, or that left the entity so long ago that no worker can have it.
    public boolean forgetIfDone(WantedMessage missed, @Nullable Fence fence) throws SQLException {
        return fencing.make(settled, fence, missed.key(), missed.sequenceNumber())
                        .rows()
                == 1;
    }

    /** The sequence number of another deferred copy of the message. */
    public Optional<Long> otherCopy(InboundMessage message) throws SQLException {
        return !table.isInstalled(database)
                ? Optional.empty()
                : database.list(otherCopy, row -> row.getLong(1), key(message), message.sequenceNumber()).stream()
                        .findFirst();
    }

    /** Commits the deferral before the broker defers the message, and whether it is already resumed. */
    public void store(InboundMessage message, DeferringAttempt attempt) throws SQLException {
        fencing.make(store, attempt.fence(), values(message, attempt).toArray());
        judge(message, attempt);
    }

    /** Stores the deferral of a held message in the transaction that keeps it in its hold. {@link #judge} must follow the commit. */
    public void storeHeld(Connection tx, InboundMessage message, DeferringAttempt attempt, long hold)
            throws SQLException {
        List<@Nullable Object> values = values(message, attempt);
        values.add(hold);
        values.add(attempt.lockTimeout());
        Database.update(tx, storeHeld, values.toArray());
    }

    private List<@Nullable Object> values(InboundMessage message, DeferringAttempt attempt) {
        return new ArrayList<>(Arrays.asList(
                key(message),
                consumer,
                message.id(),
                attempt.deferKey(),
                message.session().orElse(null),
                message.sequenceNumber(),
                message.enqueuedAt().atOffset(ZoneOffset.UTC),
                InboxKey.of(consumer, attempt.deferKey())));
    }

    public void judge(InboundMessage message, DeferringAttempt attempt) throws SQLException {
        resumptions.judge(database, fencing, key(message), attempt);
    }

    /** Commits that the message is about to leave the broker; returns whether it was deferred there. */
    public boolean leaving(InboundMessage message, Duration longestAttempt, @Nullable Fence fence) throws SQLException {
        return table.isInstalled(database)
                && fencing.make(
                                        leaving,
                                        fence,
                                        longestAttempt.toMillis(),
                                        consumer,
                                        key(message),
                                        message.sequenceNumber())
                                .rows()
                        == 1;
    }

    /** Deletes the deferral after the broker confirmed that the message left. */
    public void forgetLeft(InboundMessage message) throws SQLException {
        if (table.isInstalled(database)) {
            database.update(forgetLeft, key(message), message.sequenceNumber());
        }
    }

    /** Deletes the deferral of a message that is done. Resumes another deferred copy, which would otherwise stay on the broker for ever. */
    public void done(Connection tx, InboundMessage message) throws SQLException {
        if (table.isInstalled(tx) && Database.update(tx, forget, key(message), message.sequenceNumber()) == 0) {
            Database.update(tx, resumeOtherCopy, key(message), message.sequenceNumber());
        }
    }

    private UUID key(InboundMessage message) {
        return InboxKey.of(consumer, message.id());
    }
}
