package dev.waybill.relay;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.SchemaName;
import java.time.Duration;
import org.jooq.DSLContext;

/**
 * Lets the ring of messages turn by time too, so that a quiet outbox does not keep what it has published for months. Values are
 * drawn until the sequence enters the next partition: setting it could take it back below one that a writer has just drawn.
 */
final class RingClock {
    /** Names this among other advisory locks. */
    private static final int LOCK = 0x57415952;

    private final DSLContext dsl;
    private final SchemaName schema;
    private final Duration longestUse;

    /** @param longestUse how long a partition is written to at most */
    RingClock(DSLContext dsl, SchemaName schema, Duration longestUse) {
        this.dsl = dsl;
        this.schema = schema;
        this.longestUse = longestUse;
    }

    /** Enters the next partition if the one in use is old; says whether it did. */
    boolean turn() {
        return dsl.transactionResult(tx -> {
            long last = tx.dsl().fetchSingle(LAST_VALUE.formatted(schema)).get(0, Long.class);
            long block = RingLayout.of(last);
            boolean old = tx.dsl()
                    .fetchSingle(
                            IS_OLD.formatted(schema, RingLayout.slot(block)),
                            val(block << RingLayout.SHIFT),
                            val(longestUse.toMillis()))
                    .get(0, Boolean.class);
            if (!old
                    || !tx.dsl()
                            .fetchSingle(
                                    "select pg_try_advisory_xact_lock({0}, hashtext({1}))",
                                    val(LOCK), val(schema.value()))
                            .get(0, Boolean.class)) {
                return false;
            }
            long again = tx.dsl().fetchSingle(LAST_VALUE.formatted(schema)).get(0, Long.class);
            if (RingLayout.of(again) == block) {
                long values = ((block + 1) << RingLayout.SHIFT) - again;
                tx.dsl().fetch(DRAW.formatted(schema), val(values));
            }
            return true;
        });
    }

    private static final String LAST_VALUE = "select coalesce(pg_sequence_last_value('%s.outbox_message_seq'), 0)";

    // The oldest transaction's row stands for the oldest row.
    private static final String IS_OLD = """
            select coalesce((
              select m.created_at < clock_timestamp() - {1} * interval '1 millisecond'
              from %1$s.outbox_message_%2$s m where m.seq >= {0} order by m.xid limit 1), false)
            """;

    private static final String DRAW = """
            select count(nextval('%1$s.outbox_message_seq')) from generate_series(1, {0})
            """;
}
