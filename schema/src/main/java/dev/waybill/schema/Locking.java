package dev.waybill.schema;

import java.time.Duration;
import org.jooq.DSLContext;

/** First statements of transactions that lock rows. All settings are local, so a transaction pooler works. */
public final class Locking {
    // The idle limit frees the locks of a stopped process. The plan is forced, because statistics mislead for a table
    // that fills and empties.
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

    // With synchronous_commit = off, a crash would lose what Waybill has acknowledged.
    private static final String DURABLE = """
            select set_config('synchronous_commit',
              case current_setting('synchronous_commit') when 'off' then 'local'
                else current_setting('synchronous_commit') end, true)
            """;

    private Locking() {}

    /** Begins a READ COMMITTED transaction with a lock timeout of two seconds. */
    public static void begin(DSLContext tx) {
        tx.execute(beginning(Duration.ofSeconds(2)));
    }

    /** As {@link #begin}, with another lock timeout and without a round trip of its own. */
    public static String beginning(Duration longestWait) {
        return BEGIN + "set local lock_timeout = " + longestWait.toMillis() + ";\n";
    }

    /** As {@link #begin}, for changes that must survive a crash of the server. */
    public static void beginDurable(DSLContext tx) {
        begin(tx);
        tx.fetch(DURABLE);
    }

    public static boolean isTimeout(String sqlState) {
        return SqlError.LOCK.is(sqlState);
    }
}
