package dev.waybill.outbox;

import dev.waybill.schema.SchemaName;
import java.util.Collection;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The locks that make sequence order commit order inside a session. A transaction that adds rows to the outbox holds the
 * locks of their sessions from before their sequence values are drawn to its end, which is when PostgreSQL lets go of
 * them. Thread-safe.
 *
 * <p>A list to more than {@link #MOST_KEYS} sessions locks the table against all other writers instead: PostgreSQL's lock
 * table has a fixed size, and the whole cluster shares it. The two kinds exclude each other, because every insert holds a
 * lock on the table which that one conflicts with (docs/contributing/design/application-locks.md).
 */
public final class SessionLocks {
    /** Names our locks among the application's own advisory locks: "WAYB". */
    static final int CLASS = 0x57415942;

    /**
     * Sessions that one list locks one by one. PostgreSQL keeps some 6,400 locks by default, for all transactions of the
     * cluster together.
     */
    static final int MOST_KEYS = 1_000;

    // In the order of their keys, because two sessions may hash to one key and two lists must not wait for each other.
    static final String TAKE = """
            select count(lock::text) from (
              select pg_advisory_xact_lock(1463900482, key) as lock
              from (select distinct hashtext(session) as key from unnest(%s) as session order by key) keys
            ) locks""";

    private static final String TAKE_NOW = """
            select session from unnest({1}) as session
            where pg_try_advisory_xact_lock(1463900482, hashtext({0} || chr(31) || session))
            """;

    private SessionLocks() {}

    /** The statement that keeps all other writers out until the transaction ends, once those have ended that are in. */
    static String excludeWriters(SchemaName schema) {
        return "select " + schema.table("outbox_exclude_writers") + "()";
    }

    /** The statement that takes the lock an insert takes on the table: {@link #excludeWriters} keeps it from all others. */
    public static String lockTable(SchemaName schema) {
        return "lock table only " + schema.table("outbox_message") + " in row exclusive mode";
    }

    /**
     * Takes the locks of sessions of one destination, waiting for whoever has them.
     *
     * @param sessions a few hundred at most: each is an entry in the lock table that the whole cluster shares
     */
    public static void take(DSLContext tx, String destination, Collection<String> sessions) {
        String[] names =
                sessions.stream().map(session -> name(destination, session)).toArray(String[]::new);
        tx.fetch(TAKE.formatted("{0}"), DSL.val(names));
    }

    /** Takes the locks that nobody has, without waiting; returns the sessions whose lock was taken. */
    public static Set<String> takeFree(DSLContext tx, String destination, Collection<String> sessions) {
        if (sessions.isEmpty()) {
            return Set.of();
        }
        return tx.fetch(TAKE_NOW, DSL.val(destination), DSL.val(sessions.toArray(String[]::new)))
                .intoSet(0, String.class);
    }

    /** The unit separator keeps names apart that would read the same when joined. */
    static String name(String destination, @Nullable String session) {
        return destination + '\u001f' + session;
    }
}
