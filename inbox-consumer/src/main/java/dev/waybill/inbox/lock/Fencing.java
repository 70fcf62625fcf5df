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
 * Changes outside a handler's transaction that the owner of a session makes, and nobody who has been succeeded:
 * each records the fencing token of its acceptance, and happens only where no higher one is on record. The row of
 * the token decides between two owners at the same moment. Thread-safe.
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

    /** @param lockTimeout how long a successor that is at work is waited for */
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

    /** A change, made ready. It has to select from {@code fenced}, and to return a number as {@code answer}. */
    public Change change(String sql) {
        return new Change(CHANGE.formatted(record + " returning 1", sql), CHANGE.formatted(open, sql));
    }

    /**
     * Makes a change in a transaction of its own.
     *
     * @param fence under which the session was accepted; null where there is none, and so nobody to succeed
     * @throws LockLostException if the session has another owner by now; nothing was changed
     */
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

    /**
     * Makes sure, until the end of a transaction, that nobody succeeds the owner.
     *
     * @throws LockLostException if somebody has
     */
    public void require(Connection tx, @Nullable Fence fence) throws SQLException {
        if (fence != null && Database.update(tx, record, fence.key(), consumer, fence.token()) != 1) {
            throw succeeded();
        }
    }

    public static LockLostException succeeded() {
        return new LockLostException("Somebody else has accepted the session since", null);
    }

    /** A statement for an owner with a token, and for one without. */
    public record Change(String fenced, String open) {}

    /**
     * The result.
     *
     * @param fenced 1 if nobody has succeeded the owner
     * @param rows that were changed
     * @param answer the highest that was returned; 0 if nothing was changed
     */
    public record Changed(int fenced, int rows, int answer) {}
}
