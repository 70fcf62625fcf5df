package dev.waybill.inbox.defer;

import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.heartbeat.ConsumerHeartbeat;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.inbox.lock.SessionLock;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * Recently resumed keys. A message that is deferred while its key is resumed is found by one side or the other, although neither waits
 * for the other. Thread-safe.
 *
 * <p>A deferral commits and then looks for resumptions. A resumption that it finds, and that its attempt could not see, resumes it. A
 * resumption that it does not find commits later, so {@link #meet} sees both. It takes each resumption once, after its commit, and
 * resumes every deferral of the key.
 */
final class Resumptions {
    private final String meet;
    private final String wake;
    private final String forget;
    private final String forgetOfOthers;
    private final String lock;
    private final String judge;

    Resumptions(SchemaName schema) {
        String resumptions = schema.table("inbox_resumption");
        String deferrals = schema.table("inbox_deferral");
        // A locked deferral is left for the next turn, with its resumption.
        meet = """
                with unseen as (
                    select id, key from %1$s where consumer = ? and seen_at is null
                    limit 1000 for update skip locked),
                ours as (
                    select d.key from %2$s d where d.resume_key in (select key from unseen) for update skip locked),
                resumed as (
                    update %2$s d set resume_at = clock_timestamp(), tries = 0 from ours where d.key = ours.key)
                update %1$s r set seen_at = clock_timestamp() from unseen u
                where r.id = u.id
                    and not exists (
                        select from %2$s d where d.resume_key = r.key and d.key not in (select key from ours))""".formatted(resumptions, deferrals);
        wake = """
                with due as (
                    select h.id, d.key from %1$s d join %2$s h on h.id = d.hold_id
                    where d.consumer = ? and d.resume_at <= clock_timestamp()
                    limit 1000 for update skip locked),
                woken as (delete from %1$s d using due where d.key = due.key)
                update %2$s h set due_at = clock_timestamp(), changed_at = clock_timestamp()
                from due where h.id = due.id and h.state = 'retrying'""".formatted(deferrals, schema.table("inbox_hold"));
        forget = "delete from " + resumptions
                + " where consumer = ? and seen_at < clock_timestamp() - " + ConsumerHeartbeat.longestAttempt(schema)
                + " * interval '1 millisecond'";
        forgetOfOthers = "delete from " + resumptions + " where resumed_at < clock_timestamp() - interval '30 days'";
        lock = "update " + deferrals + " d set tries = 0 from (select set_config('lock_timeout', ?, true), "
                + SessionLock.DURABLE + ") bounded where d.key = ?";
        judge = "update " + deferrals + " d set resume_at = case when exists (select from " + resumptions
                + " r where r.key = d.resume_key"
                + " and coalesce(not pg_visible_in_snapshot(r.resumed_by, ?::pg_snapshot), true))"
                + " or ?::timestamptz < clock_timestamp() - ? * interval '1 millisecond'"
                + " then clock_timestamp() end where d.key = ?";
    }

    /** Resumes messages that were deferred while their key was being resumed. */
    void meet(Database database, String consumer) throws SQLException {
        database.update(meet, consumer);
    }

    /** Makes the holds of resumed messages due; returns how many. */
    int wake(Database database, String consumer) throws SQLException {
        return database.update(wake, consumer);
    }

    void forget(Database database, String consumer, Duration longestAttempt) throws SQLException {
        database.update(forget, consumer, longestAttempt.toMillis(), consumer);
    }

    /** Deletes month-old resumptions: their consumer no longer runs, or never did. */
    void forgetOfOthers(Database database) throws SQLException {
        database.update(forgetOfOthers);
    }

    // Resumes the message if its attempt could not see a resumption, or lasted so long that one may have been deleted.
    // Runs after the deferral's commit. Throws LockLostException if the session has a later owner, which then decides.
    void judge(Database database, Fencing fencing, UUID message, DeferringAttempt attempt) throws SQLException {
        database.transaction(tx -> {
            fencing.require(tx, attempt.fence());
            // The lock comes first, so that the next statement's snapshot is younger than the wait.
            Database.update(tx, lock, attempt.lockTimeout(), message);
            Database.update(
                    tx,
                    judge,
                    attempt.snapshot(),
                    attempt.since(),
                    attempt.limits().longest().toMillis(),
                    message);
        });
    }
}
