package dev.waybill.schema;

import java.time.Duration;
import org.jooq.DSLContext;

/** What a transaction that locks says first. No setting outlives the transaction, so a pooler in transaction mode will do. */
public final class Locking {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    // A process that stops inside a transaction must not keep its locks: the server ends its session. The planner is
    // not asked: what vacuum last saw says nothing about an outbox.
    private static final String BEGIN = """
            set transaction isolation level read committed;
            set local statement_timeout = '30s';
            set local idle_in_transaction_session_timeout = '10s';
            set local enable_seqscan = off;
            set local enable_bitmapscan = off;
            set local enable_sort = off;
            set local enable_hashjoin = off;
            set local enable_mergejoin = off;
            set local jit = off;
            """;

    // A database whose default is off would forget in a crash what it has acknowledged.
    private static final String DURABLE = """
            select set_config('synchronous_commit',
              case current_setting('synchronous_commit') when 'off' then 'local'
                else current_setting('synchronous_commit') end, true)
            """;

    private Locking() {}

    /** Begins a transaction: each statement sees what was committed before it, and waits for a lock for two seconds at most. */
    public static void begin(DSLContext tx) {
        tx.execute(beginning(Duration.ofSeconds(2)));
    }

    /** What {@link #begin} says, with another limit to waits for locks; further statements may follow in the same round trip. */
    public static String beginning(Duration longestWait) {
        return BEGIN + "set local lock_timeout = " + longestWait.toMillis() + ";\n";
    }

    /** As {@link #begin}, for what must survive a crash of the server once it has committed. */
    public static void beginDurable(DSLContext tx) {
        begin(tx);
        tx.fetch(DURABLE);
    }

    /** Whether a statement failed because it waited too long for a lock. */
    public static boolean isTimeout(String sqlState) {
        return LOCK_NOT_AVAILABLE.equals(sqlState);
    }
}
