package dev.waybill.inbox.record;

import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.connect.Backend;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.schema.SchemaName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last statement of a record. Beside what is asked of the message itself: whether somebody has accepted
 * the session since, whether a deferred message of it is wanted back, and where and how the transaction runs.
 * Thread-safe.
 */
public final class PreconditionQuery {
    /** The level at which a statement sees what was committed while the one before it waited. */
    public static final String ISOLATION = "read committed";

    private static final String RECORD = """
            with fenced as (
                insert into %s as known (key, consumer, token) values (?, ?, ?)
                on conflict (key) do update set token = excluded.token, accepted_at = clock_timestamp()
                where known.token <= excluded.token
                returning token)
            """;

    private static final String SELECT = """
            select %s,
                exists (select from %s where consumer = ? and session_id = ? and resume_at <= clock_timestamp()
                    and hold_id is null and key is distinct from ?::uuid),
                pg_backend_pid(), now()::text, current_setting('transaction_isolation'), (%s), pg_current_snapshot()::text""";

    private final String consumer;
    private final String recording;
    private final String looking;
    private final int own;

    /**
     * @param asked what is asked of the message, as part of a select list
     * @param own how many columns that are
     * @param deferrals the table of deferrals, or {@link DeferralTable#NONE} where it is not installed
     */
    PreconditionQuery(SchemaName schema, String consumer, String asked, int own, String deferrals) {
        this.consumer = consumer;
        this.own = own;
        String acceptances = schema.table("inbox_acceptance");
        recording = RECORD.formatted(acceptances) + SELECT.formatted(asked, deferrals, "select token from fenced");
        looking = SELECT.formatted(asked, deferrals, "select token from " + acceptances + " where key = ?::uuid");
    }

    /** The statement that looks at the token once it is recorded, and the one that records it before. */
    String sql(boolean records) {
        return records ? recording : looking;
    }

    static boolean records(@Nullable Fence fence) {
        return fence != null && !fence.isRecorded();
    }

    /** Sets what stands before the message's own values; returns the index of the first of those. */
    int bindBefore(PreparedStatement statement, int index, @Nullable Fence fence) throws SQLException {
        if (fence == null || fence.isRecorded()) {
            return index;
        }
        statement.setObject(index, fence.key());
        statement.setString(index + 1, consumer);
        statement.setLong(index + 2, fence.token());
        return index + 3;
    }

    /**
     * Sets what stands behind the message's own values.
     *
     * @param own key of the message that is being recorded, and so has come back itself; null for several
     */
    void bindBehind(
            PreparedStatement statement, int index, @Nullable String session, @Nullable UUID own, @Nullable Fence fence)
            throws SQLException {
        statement.setString(index, consumer);
        statement.setString(index + 1, session);
        statement.setObject(index + 2, own, Types.OTHER);
        if (!records(fence)) {
            statement.setObject(index + 3, fence == null ? null : fence.key(), Types.OTHER);
        }
    }

    /**
     * Reads the answers.
     *
     * @throws LockLostException if the session has another owner by now
     */
    Answers read(ResultSet row, @Nullable Fence fence) throws SQLException {
        if (!ISOLATION.equals(row.getString(own + 4))) {
            throw new SQLException(refusal(row.getString(own + 4)), "25000");
        }
        if (fence != null && row.getLong(own + 5) != fence.token()) {
            throw Fencing.succeeded();
        }
        var backend = new Backend(row.getInt(own + 2), row.getString(own + 3));
        return new Answers(row.getBoolean(own + 1), backend, row.getString(own + 6));
    }

    /** Why no other level will do: the hold of a session would not be seen by whoever has waited for it. */
    public static String refusal(String isolation) {
        return "A consumer's transactions need the isolation level READ COMMITTED, and the pool's connections have "
                + isolation.toUpperCase(Locale.ROOT);
    }

    /**
     * Facts about the session and the transaction.
     *
     * @param snapshot what the handler can see at least, as PostgreSQL writes it
     */
    record Answers(boolean wanted, Backend backend, String snapshot) {}
}
