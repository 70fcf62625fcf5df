package dev.waybill.inbox.lock;

import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes outside a handler's transaction that only the current owner of a session may make. Each change records the fencing token of
 * its acceptance and takes place only if no higher token is recorded. The token's row decides between two concurrent owners.
 * Thread-safe.
 */
public final class Fencing {
    private static final String RECORD = """
            insert into %s as held (key, consumer, token) select ?::uuid, ?, ? from %s
            on conflict (key) do update set token = excluded.token, accepted_at = clock_timestamp()
            where held.token <= excluded.token""";

    private static final String CHANGE = """
            with fenced as (%s),
            changed as (%s)
            select (select count(*) from fenced)::integer, (select count(*) from changed)::integer,
                (select max(answer) from changed)::integer""";

    private final Database database;
    private final String consumer;
    private final String record;
    private final String open;

    public Fencing(Database database, SchemaName schema, String consumer, Duration lockTimeout) {
        this.database = database;
        this.consumer = consumer;
        String bounded = "(select set_config('lock_timeout', '" + lockTimeout.toMillis() + "ms', true), "
                + SessionLock.DURABLE + ") bounded";
        record = RECORD.formatted(schema.table("inbox_acceptance"), bounded);
        open = "select 1 from " + bounded;
    }

    public boolean isInstalled(OptionalTable table) throws SQLException {
        return table.isInstalled(database);
    }

    /** Prepares a change. Its statement selects from {@code fenced} and returns a number as {@code answer}. */
    public Change change(String sql) {
        return new Change(CHANGE.formatted(record + " returning 1", sql), CHANGE.formatted(open, sql));
    }

    /** Makes a change in its own transaction. Throws {@link LockLostException} without a change if the session has a later owner. */
    public Changed make(Change change, @Nullable Fence fence, @Nullable Object... values) throws SQLException {
        List<@Nullable Object> bound = new ArrayList<>();
        if (fence != null) {
            bound.addAll(List.of(fence.key(), consumer, fence.token()));
        }
        bound.addAll(Arrays.asList(values));
        String sql = fence == null ? change.open() : change.fenced();
        Changed changed = database.list(
                        sql, row -> new Changed(row.getInt(1), row.getInt(2), row.getInt(3)), bound.toArray())
                .get(0);
        if (changed.fenced() == 0) {
            throw succeeded();
        }
        if (fence != null) {
            fence.committed();
        }
        return changed;
    }

    /** Keeps other owners out of the session until the end of a transaction; throws {@link LockLostException} if there is one. */
    public void require(Connection tx, @Nullable Fence fence) throws SQLException {
        if (fence != null && Database.update(tx, record, fence.key(), consumer, fence.token()) != 1) {
            throw succeeded();
        }
    }

    public static LockLostException succeeded() {
        return new LockLostException("The session has a later owner", null);
    }

    public record Change(String fenced, String open) {}

    /** Fenced is 1 if the caller still owns the session; answer is the highest returned number, or 0 without changes. */
    public record Changed(int fenced, int rows, int answer) {}
}
