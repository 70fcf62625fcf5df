package dev.waybill.inbox;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were set aside until something else has happened: on the broker, where nothing but the sequence number kept
 * here finds them, or in holds of their own. Immutable and thread-safe.
 */
public final class Deferrals {
    private final Resumptions resumptions;
    private final String store;
    private final String storeFenced;
    private final String storeHeld;
    private final String otherCopy;
    private final String forget;
    private final String forgetLeft;
    private final String resume;
    private final String wanted;
    private final String wantedOf;
    private final String again;
    private final String postpone;
    private final String settled;
    private final String leaving;
    private final String forgotten;

    private Deferrals(SchemaName schema) {
        resumptions = new Resumptions(schema);
        String table = schema.table("inbox_deferral");
        // One that is resumed stays so until it is judged: should this process die before that, it is fetched again.
        String bounded = "(select set_config('lock_timeout', ?, true), " + SessionLock.DURABLE + ") bounded";
        String storeWhere = "insert into " + table
                + " as known (key, consumer, message_id, defer_key, session_id, sequence_number, enqueued_at, resume_key)"
                + " select ?::uuid, ?, ?, ?, ?, ?, ?, ?::uuid from %s"
                + " on conflict (key) do update set defer_key = excluded.defer_key, resume_key = excluded.resume_key,"
                + " sequence_number = excluded.sequence_number, enqueued_at = excluded.enqueued_at,"
                + " hold_id = null, gone_by = null, deferred_at = clock_timestamp()";
        store = storeWhere.formatted(bounded);
        // The handler's transaction was rolled back, and its record of the token with it.
        storeFenced = "with fenced as (insert into " + schema.table("inbox_acceptance")
                + " as held (key, consumer, token) select ?::uuid, ?, ? from " + bounded
                + " on conflict (key) do update set token = excluded.token, accepted_at = clock_timestamp()"
                + " where held.token <= excluded.token returning 1) "
                + storeWhere.formatted("fenced");
        // Should this process die before it is judged, the hold is due soon.
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
        forget = "delete from " + table + " where key = ?";
        forgetLeft = forget + " and hold_id is null";
        String due = " and hold_id is null and resume_at <= clock_timestamp()";
        wanted = "select session_id, case when session_id is null then key end as alone, min(resume_at) as since from "
                + table + " where consumer = ?" + due + " group by 1, 2 order by since limit 1000";
        wantedOf = "select key, message_id, sequence_number, tries from " + table
                + " where consumer = ? and (session_id = ? or key = ?)" + due
                + " order by sequence_number limit 100";
        // All at the same time, or the next one would overtake the one that has failed.
        postpone = "update " + table + " set tries = tries + 1,"
                + " resume_at = now() + least(power(2, ?), 300) * interval '1 second'"
                + " where consumer = ? and (session_id = ? or key = ?) and hold_id is null and resume_at is not null";
        again = "update " + table + " set tries = tries + 1,"
                + " resume_at = clock_timestamp() + least(power(2, tries), 300) * interval '1 second'"
                + " where key = ? and resume_at is not null";
        settled = "delete from " + table + " d where d.key = ? and (exists (select from "
                + schema.table("inbox_message") + " m where m.key = d.key) or d.gone_by < clock_timestamp())";
        leaving = "update " + table + " set gone_by = clock_timestamp() + " + Instances.longestAttempt(schema)
                + " * interval '1 millisecond'"
                + " from (select " + SessionLock.DURABLE + ") durable where key = ? and hold_id is null";
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
     * Asks for messages back, in the caller's transaction: once it is committed, the consumer fetches and handles them, inside
     * a session as its owner. A message whose handler is about to defer it, and cannot have seen this transaction, is
     * resumed too, although it is not counted yet; so 0 is no reason to resume again. Waits for no handler.
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

    /** Where there is something to be fetched now: those that have waited longest first, at most 1,000. */
    List<Place> wanted(Database database, String consumer) throws SQLException {
        return database.list(wanted, row -> new Place(row.getString(1), row.getObject(2, UUID.class)), consumer);
    }

    /** What is to be fetched now from one place, in the order of the session; at most 100. */
    List<Wanted> wanted(Database database, String consumer, Place place) throws SQLException {
        return database.list(
                wantedOf,
                row -> new Wanted(row.getObject(1, UUID.class), row.getString(2), row.getLong(3), row.getInt(4)),
                consumer,
                place.session(),
                place.alone());
    }

    /** All that is wanted from a place is tried again later, and later from time to time. */
    void postpone(Database database, String consumer, Place place, Wanted failed) throws SQLException {
        database.update(postpone, failed.tries(), consumer, place.session(), place.alone());
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

    /** It could not be fetched: tried again later, and later from time to time. */
    void again(Database database, Wanted missed) throws SQLException {
        database.update(again, missed.key());
    }

    /**
     * Forgets the deferral of a message that was not found and has been done, or was to leave the entity longer ago than
     * anybody can have it in hand; returns whether it did.
     */
    boolean forgetIfDone(Database database, Wanted missed) throws SQLException {
        return database.update(settled, missed.key()) == 1;
    }

    /** Forgets resumptions of consumers that nobody runs any more. */
    void forgetResumptionsOfOthers(Database database) throws SQLException {
        resumptions.forgetOfOthers(database);
    }

    /** A deferred message that somebody wants back. */
    record Wanted(UUID key, String messageId, long sequenceNumber, int tries) {}

    /** The number of another copy of the message that lies deferred on the broker; empty if none is known. */
    Optional<Long> otherCopy(Database database, String consumer, InboundMessage message) throws SQLException {
        return database
                .list(otherCopy, row -> row.getLong(1), InboxKey.of(consumer, message.id()), message.sequenceNumber())
                .stream()
                .findFirst();
    }

    /**
     * Commits that a message is about to be deferred on the broker, and whether it is resumed already.
     *
     * @throws LockLostException if the session has another owner by now; nothing is stored
     */
    void store(Database database, String consumer, InboundMessage message, Attempted attempt) throws SQLException {
        List<@Nullable Object> values = values(consumer, message, attempt);
        @Nullable Fence fence = attempt.fence();
        if (fence == null) {
            values.add(attempt.lockTimeout());
            database.update(store, values.toArray());
        } else {
            values.addAll(0, List.of(fence.key(), consumer, fence.token(), attempt.lockTimeout()));
            if (database.update(storeFenced, values.toArray()) != 1) {
                throw new LockLostException("Somebody else has accepted the session since", null);
            }
            fence.committed();
        }
        judge(database, consumer, message, attempt);
    }

    /** A message is deferred in a hold, in the transaction that keeps it there; to be judged after that. */
    void storeHeld(Connection tx, String consumer, InboundMessage message, Attempted attempt, long hold)
            throws SQLException {
        List<@Nullable Object> values = values(consumer, message, attempt);
        values.add(hold);
        values.add(attempt.lockTimeout());
        Database.update(tx, storeHeld, values.toArray());
    }

    private static List<@Nullable Object> values(String consumer, InboundMessage message, Attempted attempt) {
        return new ArrayList<>(Arrays.asList(
                InboxKey.of(consumer, message.id()),
                consumer,
                message.id(),
                attempt.deferKey(),
                message.session().orElse(null),
                message.sequenceNumber(),
                message.enqueuedAt().atOffset(ZoneOffset.UTC),
                InboxKey.of(consumer, attempt.deferKey())));
    }

    void judge(Database database, String consumer, InboundMessage message, Attempted attempt) throws SQLException {
        resumptions.judge(database, InboxKey.of(consumer, message.id()), attempt);
    }

    /** Commits that a message may be gone from the broker from now on; returns whether it was deferred there. */
    boolean leaving(Database database, String consumer, InboundMessage message, Duration longestAttempt)
            throws SQLException {
        return database.update(leaving, longestAttempt.toMillis(), consumer, InboxKey.of(consumer, message.id())) == 1;
    }

    /** Forgets the deferral of a message that has left the broker; not that of a copy which waits in a hold. */
    void forgetLeft(Database database, String consumer, InboundMessage message) throws SQLException {
        database.update(forgetLeft, InboxKey.of(consumer, message.id()));
    }

    void forget(Connection tx, String consumer, InboundMessage message) throws SQLException {
        Database.update(tx, forget, InboxKey.of(consumer, message.id()));
    }

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
