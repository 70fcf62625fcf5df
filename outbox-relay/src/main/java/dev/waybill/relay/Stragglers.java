package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows that still wait when the ring comes round to their partition. They are moved aside, a few megabytes in a transaction,
 * so that the partition can be emptied and space is bounded by what waits. They keep transaction id and sequence value, and a
 * read sees each row in one of the two places. Once published they are deleted there.
 */
final class Stragglers {
    private static final Logger LOG = LoggerFactory.getLogger(Stragglers.class);

    /** Partitions that the ring enters after the next one. */
    private static final int AHEAD = 2;

    /** Of one partition and one turn of the housekeeping. */
    private static final int MOST_BATCHES = 50;

    private static final int BATCH_ROWS = 1_000;
    private static final long BATCH_BYTES = 8L << 20;

    private final DSLContext dsl;
    private final SchemaName schema;

    Stragglers(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    /** Moves aside what waits in the partitions that the ring comes to soon, and deletes what is published; returns how many. */
    int turn() {
        dsl.transaction(tx -> tx.dsl().execute(DELETE_PUBLISHED.formatted(schema), val(BATCH_ROWS * MOST_BATCHES)));
        long block = RingLayout.of(dsl.fetchSingle(LAST_VALUE.formatted(schema)).get(0, Long.class));
        int moved = 0;
        for (int ahead = 2; ahead < 2 + AHEAD; ahead++) {
            moved += empty(RingLayout.slot(block + ahead), block);
        }
        return moved;
    }

    // Only rows of earlier rounds: those of this block may be in the partition already if the ring has come far.
    private int empty(int slot, long block) {
        int all = 0;
        for (int batch = 0; batch < MOST_BATCHES; batch++) {
            int moved = dsl.transactionResult(tx -> tx.dsl()
                    .execute(
                            MOVE.formatted(schema, slot),
                            val(block << RingLayout.SHIFT),
                            val(BATCH_ROWS),
                            val(BATCH_BYTES)));
            all += moved;
            if (moved == 0) {
                break;
            }
        }
        if (all > 0) {
            LOG.info("{} messages that still wait were moved aside, to make room in partition {}", all, slot);
        }
        return all;
    }

    private static final String LAST_VALUE = "select coalesce(pg_sequence_last_value('%s.outbox_message_seq'), 0)";

    private static final String DELETE_PUBLISHED = """
            delete from %1$s.outbox_straggler where ctid = any(array(
              select s.ctid from %1$s.outbox_straggler s join %1$s.outbox_cursor c
                on c.destination = s.destination and c.bucket = %1$s.outbox_bucket(s.session_id, s.message_id)
              where %1$s.outbox_is_published(s.xid, s.seq, c.position, c.snapshot, c.next_xid)
                and not exists (
                  select from %1$s.outbox_replay r
                  where r.destination = s.destination and r.state = 'running'
                    and s.seq > r.position and s.seq <= r.last_seq)
              limit {0}))
            """;

    private static final String MOVE = """
            with waiting as materialized (
              select m.ctid, m.seq, octet_length(m.payload) as bytes
              from %1$s.outbox_message_%2$s m left join %1$s.outbox_cursor c
                on c.destination = m.destination and c.bucket = %1$s.outbox_bucket(m.session_id, m.message_id)
              where m.seq < {0} and not %1$s.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid)
              limit {1}
            ), batch as (
              select w.ctid from (
                select ctid, row_number() over o as rank, sum(bytes) over o as running from waiting
                window o as (order by seq rows unbounded preceding)
              ) w where w.rank = 1 or w.running <= {2}
            ), moved as (
              delete from %1$s.outbox_message_%2$s where ctid = any(array(select ctid from batch)) returning *
            )
            insert into %1$s.outbox_straggler select * from moved
            """;
}
