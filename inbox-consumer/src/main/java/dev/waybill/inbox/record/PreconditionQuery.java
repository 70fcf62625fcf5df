package dev.waybill.inbox.record;

import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.connect.Backend;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.message.BrokerNames;
import dev.waybill.schema.SchemaName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last statement of a record. Besides the questions about the message, it asks whether the session has a later owner, whether a
 * message of the session is resumed, and where and how the transaction runs. Thread-safe.
 */
public final class PreconditionQuery {
    /** At this level a statement sees what was committed while the previous one waited. */
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
                exists (select from %s where consumer = ? and lower(session_id collate "C") = ? and resume_at <= clock_timestamp()
                    and hold_id is null and key is distinct from ?::uuid),
                pg_backend_pid(), now()::text, current_setting('transaction_isolation'), (%s), pg_current_snapshot()::text""";

    private final String consumer;
    private final String recording;
    private final String looking;
    private final int own;

    // The number own counts the columns of the questions about the message, which are part of a select list.
    PreconditionQuery(SchemaName schema, String consumer, String asked, int own, String deferrals) {
        this.consumer = consumer;
        this.own = own;
        String acceptances = schema.table("inbox_acceptance");
        recording = RECORD.formatted(acceptances) + SELECT.formatted(asked, deferrals, "select token from fenced");
        looking = SELECT.formatted(asked, deferrals, "select token from " + acceptances + " where key = ?::uuid");
    }

    /** @param records true to record the token, false to check a recorded one */
    String sql(boolean records) {
        return records ? recording : looking;
    }

    static boolean records(@Nullable Fence fence) {
        return fence != null && !fence.isRecorded();
    }

    /** Binds the values before the message's own; returns the index of the first of those. */
    int bindBefore(PreparedStatement statement, int index, @Nullable Fence fence) throws SQLException {
        if (fence == null || fence.isRecorded()) {
            return index;
        }
        statement.setObject(index, fence.key());
        statement.setString(index + 1, consumer);
        statement.setLong(index + 2, fence.token());
        return index + 3;
    }

    // The key own is that of the message being recorded, which does not count as resumed; null for several.
    void bindBehind(
            PreparedStatement statement, int index, @Nullable String session, @Nullable UUID own, @Nullable Fence fence)
            throws SQLException {
        statement.setString(index, consumer);
        statement.setString(index + 1, BrokerNames.keyOrNull(session));
        statement.setObject(index + 2, own, Types.OTHER);
        if (!records(fence)) {
            statement.setObject(index + 3, fence == null ? null : fence.key(), Types.OTHER);
        }
    }

    /** Throws {@link LockLostException} if the session has a later owner. */
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

    /** At other levels a message that waited for its session's lock would not see the session's hold. */
    public static String refusal(String isolation) {
        return "A consumer's transactions need the isolation level READ COMMITTED, but the pool's connections have "
                + isolation.toUpperCase(Locale.ROOT);
    }

    record Answers(boolean wanted, Backend backend, String snapshot) {}
}
