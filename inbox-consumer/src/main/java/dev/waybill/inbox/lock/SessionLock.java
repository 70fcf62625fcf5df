package dev.waybill.inbox.lock;

import dev.waybill.inbox.connect.Commit;
import dev.waybill.schema.SchemaName;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The first statement of every handler's transaction: it locks the message's session until the end of the transaction, so that
 * no two handlers of a session meet, whoever runs them. It waits in the server's queue, in which a try would never have its
 * turn beside an owner who locks again in the round trip in which he unlocks.
 *
 * <p>It also sets what holds for this transaction alone: how long it waits for locks; how long it may stand still, so that a
 * frozen process gives the session free; that its commit is on the disk before the broker hears of it; and a mark
 * by which its commit knows that it is still the same transaction.
 */
public final class SessionLock {
    /** Names these locks among others of two numbers: "WAYI". The outbox has a class of its own, or handlers would stop it. */
    public static final int CLASS = 1463900489;

    private static final String SQL = """
            select pg_advisory_xact_lock(%s, ?::integer) from (select
                set_config('lock_timeout', '%sms', true),
                set_config('idle_in_transaction_session_timeout', '%sms', true),
                %s, %s) bounded""";

    /** As part of a statement's select list. */
    public static final String DURABLE = "case current_setting('synchronous_commit') when 'off'"
            + " then set_config('synchronous_commit', 'local', true) end";

    private final String sql;
    private final int scope;
    private final boolean locks;

    /** @param idle how long a transaction may stand still */
    public SessionLock(SchemaName schema, String consumer, Duration lockTimeout, Duration idle) {
        this(
                SQL.formatted(CLASS, lockTimeout.toMillis(), idle.toMillis(), DURABLE, Commit.MARK),
                31 * schema.value().hashCode() + consumer.hashCode(),
                true);
    }

    private SessionLock(String sql, int scope, boolean locks) {
        this.sql = sql;
        this.scope = scope;
        this.locks = locks;
    }

    /**
     * The same for an entity without sessions, whose messages may name sessions of their producers all the same: nobody keeps an
     * order among them, so none waits for another.
     */
    public SessionLock withoutSessions() {
        return new SessionLock(sql, scope, false);
    }

    /** The statement, with the key as its only value. */
    public String sql() {
        return sql;
    }

    /** A message without a session locks nothing. */
    public void bind(PreparedStatement statement, int index, @Nullable String session) throws SQLException {
        if (session == null || !locks) {
            statement.setNull(index, Types.INTEGER);
        } else {
            statement.setInt(index, key(session));
        }
    }

    /** The same for everybody, which Java promises of a text's hash. Sessions that share a key wait for each other, no more. */
    public int key(String session) {
        return 31 * scope + session.hashCode();
    }
}
