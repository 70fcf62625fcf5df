package dev.waybill.inbox.lock;

import dev.waybill.inbox.connect.Commit;
import dev.waybill.message.BrokerNames;
import dev.waybill.schema.SchemaName;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The first statement of every handler's transaction. It locks the message's session until the end of the transaction, so that two
 * handlers of a session never overlap. It waits in the server's lock queue: a try-lock would never win against an owner that locks
 * again in the round trip that unlocks.
 *
 * <p>It also sets, for this transaction: the lock timeout; the idle timeout, so that a frozen process frees the session; a durable
 * commit, so that the commit is on disk before the broker hears of it; and a mark that lets the commit recognise its transaction.
 */
public final class SessionLock {
    /** The lock class: "WAYI" in ASCII. The outbox uses another class, so that it does not block handlers. */
    public static final int CLASS = 1463900489;

    private static final String SQL = """
            select pg_advisory_xact_lock(%s, ?::integer) from (select
                set_config('lock_timeout', '%sms', true),
                set_config('idle_in_transaction_session_timeout', '%sms', true),
                %s, %s) bounded""";

    public static final String DURABLE = "case current_setting('synchronous_commit') when 'off'"
            + " then set_config('synchronous_commit', 'local', true) end";

    private final String sql;
    private final int scope;
    private final boolean locks;

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

    /** A variant that locks nothing, for entities without sessions. Their messages may carry a SessionId, but have no order to keep. */
    public SessionLock withoutSessions() {
        return new SessionLock(sql, scope, false);
    }

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

    /** Java specifies {@code String.hashCode}, so all processes compute one key. Sessions that share a key only wait for each other. */
    public int key(String session) {
        return 31 * scope + BrokerNames.key(session).hashCode();
    }
}
