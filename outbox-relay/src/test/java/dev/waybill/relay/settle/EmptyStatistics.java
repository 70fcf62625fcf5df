package dev.waybill.relay.settle;

import dev.waybill.relay.lease.NewTables;
import org.awaitility.Awaitility;

/** What the planner believes of an outbox that was vacuumed when nothing waited in it, but had many pages. */
final class EmptyStatistics {
    private EmptyStatistics() {}

    static void of(NewTables tables) {
        tables.execute("update pg_class set reltuples = 0, relpages = 1000 where oid = '$.outbox_message'::regclass");
        tables.execute("update pg_class set reltuples = 0 where oid = '$.outbox_message_pkey'::regclass");
    }

    /** How many entries of the primary key were read, once the deletes are counted too. */
    static long entriesRead(NewTables tables) {
        Awaitility.await()
                .until(() -> tables.one(
                        Boolean.class,
                        "select n_tup_del > 0 from pg_stat_all_tables where relid = '$.outbox_message'::regclass"));
        return tables.one(
                Long.class,
                "select idx_tup_read from pg_stat_all_indexes where indexrelid = '$.outbox_message_pkey'::regclass");
    }
}
