package dev.waybill.deadletter.collect;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.hold.Cause;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import org.jooq.DSLContext;

/**
 * The reports of collectors about their entities: an entity without dead letters differs from one without a
 * collector.
 */
final class EntityTable {
    private final DSLContext dsl;
    private final String alive;
    private final String collected;
    private final String drained;
    private final String failed;

    EntityTable(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        alive = """
                insert into %1$s.dead_letter_entity as e (entity, transfer, destination, alive_until)
                values ({0}, {1}, {2}, clock_timestamp() + {3} * interval '1 millisecond')
                on conflict (entity, transfer) do update set destination = excluded.destination,
                  alive_until = greatest(e.alive_until, excluded.alive_until)""".formatted(schema);
        collected = """
                update %1$s.dead_letter_entity set collected = collected + {2}, collected_at = clock_timestamp(),
                  failing_since = case when {3} then null else failing_since end,
                  failure_reason = case when {3} then null else failure_reason end,
                  failure_description = case when {3} then null else failure_description end
                where entity = {0} and transfer = {1}""".formatted(schema);
        drained = """
                update %1$s.dead_letter_entity set drained_at = clock_timestamp(),
                  failing_since = null, failure_reason = null, failure_description = null
                where entity = {0} and transfer = {1}""".formatted(schema);
        failed = """
                insert into %1$s.dead_letter_entity as e
                  (entity, transfer, destination, alive_until, failing_since, failure_reason, failure_description)
                values ({0}, {1}, {2}, clock_timestamp(), clock_timestamp(), {3}, {4})
                on conflict (entity, transfer) do update set
                  failing_since = coalesce(e.failing_since, excluded.failing_since),
                  failure_reason = excluded.failure_reason, failure_description = excluded.failure_description""".formatted(schema);
    }

    /** Somebody collects here, and will say so again before this time is over. */
    void alive(DeadLetterEntity entity, Duration atMost) {
        dsl.execute(
                alive, val(entity.path()), val(entity.transfer()), val(entity.destination()), val(atMost.toMillis()));
    }

    /**
     * In the transaction that stores them.
     *
     * @param works whether nothing is known that is left behind: receiving and storing have just been seen to work
     */
    void collected(DSLContext tx, DeadLetterEntity entity, int count, boolean works) {
        tx.execute(collected, val(entity.path()), val(entity.transfer()), val(count), val(works));
    }

    /** Nothing is left on the broker, so nothing can be wrong. */
    void drained(DeadLetterEntity entity) {
        dsl.execute(drained, val(entity.path()), val(entity.transfer()));
    }

    void failed(DeadLetterEntity entity, Cause cause) {
        dsl.execute(
                failed,
                val(entity.path()),
                val(entity.transfer()),
                val(entity.destination()),
                val(cause.reason()),
                val(cause.description()));
    }
}
