package dev.waybill.outbox;

import dev.waybill.schema.SchemaName;
import java.util.Collection;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Locks that make sequence order equal commit order within a session. An appending transaction takes the locks of its sessions
 * before its rows allocate sequence values. PostgreSQL releases them at the end of the transaction. Thread-safe.
 *
 * <p>A list to more than {@link #MOST_KEYS} sessions locks out all other writers instead, because PostgreSQL's lock table has a
 * fixed size. The two kinds exclude each other, since every insert holds a lock on the table
 * (docs/contributing/design/application-locks.md).
 */
public final class SessionLocks {
    /** "WAYB": the class of Waybill's advisory locks, apart from the application's. */
    static final int CLASS = 0x57415942;

    /**
     * Most sessions that a list locks one by one. By default a PostgreSQL cluster has about 6,400 locks for all transactions.
     */
    static final int MOST_KEYS = 1_000;

    /** The key of a session's {@link #name}; Service Bus compares names without regard to case. {@code outbox_append} has it, too. */
    static final String HASH = "hashtext(lower(%s collate \"C\"))";

    // Sorted by key, because two sessions may share a hash, and two lists must not deadlock.
    static final String TAKE = """
            select count(lock::text) from (
              select pg_advisory_xact_lock(1463900482, key) as lock
              from (select distinct %s as key from unnest(%%s) as session order by key) keys
            ) locks""".formatted(HASH.formatted("session"));

    private static final String TAKE_NOW = """
            select session from unnest({1}) as session
            where pg_try_advisory_xact_lock(1463900482, %s)
            """.formatted(HASH.formatted("({0} || chr(31) || session)"));

    private SessionLocks() {}

    /** The statement that waits for all appending transactions and locks out other writers until the transaction ends. */
    static String excludeWriters(SchemaName schema) {
        return "select " + schema.table("outbox_exclude_writers") + "()";
    }

    /** The statement that takes the table lock of an insert, which conflicts with {@link #excludeWriters}. */
    public static String lockTable(SchemaName schema) {
        return "lock table only " + schema.table("outbox_message") + " in row exclusive mode";
    }

    /** Waits for the locks of sessions: a few hundred at most, as each takes an entry in the cluster's lock table. */
    public static void take(DSLContext tx, String destination, Collection<String> sessions) {
        String[] names =
                sessions.stream().map(session -> name(destination, session)).toArray(String[]::new);
        tx.fetch(TAKE.formatted("{0}"), DSL.val(names));
    }

    /** Takes the free locks without waiting; returns their sessions. */
    public static Set<String> takeFree(DSLContext tx, String destination, Collection<String> sessions) {
        if (sessions.isEmpty()) {
            return Set.of();
        }
        return tx.fetch(TAKE_NOW, DSL.val(destination), DSL.val(sessions.toArray(String[]::new)))
                .intoSet(0, String.class);
    }

    /** The unit separator keeps different pairs from forming equal names. */
    static String name(String destination, @Nullable String session) {
        return destination + '\u001f' + session;
    }
}
