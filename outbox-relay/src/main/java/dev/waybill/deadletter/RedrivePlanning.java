package dev.waybill.deadletter;

import static dev.waybill.migrations.jooq.Tables.DEAD_LETTER;
import static dev.waybill.migrations.jooq.Tables.DEAD_LETTER_REDRIVE;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.countDistinct;

import dev.waybill.deadletter.RedriveOrder.Way;
import dev.waybill.hold.Instruction;
import dev.waybill.migrations.SchemaName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Chooses the messages of a re-drive, and says beforehand what keeps any of them. */
final class RedrivePlanning {
    private static final int OBSTACLES_SHOWN = 20;

    private final SchemaName schema;

    RedrivePlanning(SchemaName schema) {
        this.schema = schema;
    }

    RedrivePlan plan(DSLContext dsl, DeadLetterFilter filter, RedriveOrder order) {
        Condition open = filter.in(DeadLetterState.OPEN).condition();
        Map<String, Long> destinations = destinations(dsl, open, order);
        var obstacles = new ArrayList<String>();
        if (order.way() != Way.CONSUMER) {
            Set<String> known = relayed(dsl);
            destinations.forEach((destination, messages) -> {
                if (!known.contains(destination)) {
                    obstacles.add("no relay has ever served the destination '" + destination + "', where " + messages
                            + " would go");
                }
            });
        }
        obstacles.addAll(obstacles(dsl, open));
        return new RedrivePlan(
                destinations.values().stream().mapToLong(Long::longValue).sum(),
                sessions(dsl, open),
                destinations,
                dsl.fetchCount(
                        DEAD_LETTER, filter.in(DeadLetterState.QUARANTINED).condition()),
                obstacles);
    }

    long begin(DSLContext tx, DeadLetterFilter filter, RedriveOrder order, Instruction instruction) {
        long run = tx.insertInto(DEAD_LETTER_REDRIVE)
                .set(DEAD_LETTER_REDRIVE.WAY, RedriveRows.column(order.way()))
                .set(DEAD_LETTER_REDRIVE.TARGET, order.target().orElse(null))
                .set(DEAD_LETTER_REDRIVE.CANARY, boxed(order.canary()))
                .set(DEAD_LETTER_REDRIVE.RATE, boxed(order.rate()))
                .set(DEAD_LETTER_REDRIVE.OPERATOR, instruction.operator())
                .set(DEAD_LETTER_REDRIVE.REASON, instruction.reason())
                .returning(DEAD_LETTER_REDRIVE.ID)
                .fetchSingle(DEAD_LETTER_REDRIVE.ID);
        int items = RedrivePages.write(tx, run, filter.in(DeadLetterState.OPEN).condition());
        tx.update(DEAD_LETTER_REDRIVE)
                .set(DEAD_LETTER_REDRIVE.ITEMS, items)
                .where(DEAD_LETTER_REDRIVE.ID.eq(run))
                .execute();
        return run;
    }

    private static @Nullable Integer boxed(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    private static Map<String, Long> destinations(DSLContext dsl, Condition open, RedriveOrder order) {
        var counts = new TreeMap<String, Long>();
        dsl.select(DEAD_LETTER.ENTITY, count())
                .from(DEAD_LETTER)
                .where(open)
                .groupBy(DEAD_LETTER.ENTITY)
                .forEach(row -> counts.merge(
                        order.target()
                                .orElseGet(() -> DeadLetterEntity.ofPath(row.value1(), false)
                                        .destination()),
                        row.value2().longValue(),
                        Long::sum));
        return counts;
    }

    private static long sessions(DSLContext dsl, Condition open) {
        return dsl.select(countDistinct(DEAD_LETTER.SESSION_ID))
                .from(DEAD_LETTER)
                .where(open)
                .fetchSingle()
                .value1();
    }

    private Set<String> relayed(DSLContext dsl) {
        return dsl.fetch("select destination from " + schema.table("outbox_destination"))
                .intoSet(0, String.class);
    }

    private static List<String> obstacles(DSLContext dsl, Condition open) {
        Field<String> obstacle = Obstacle.ofRow();
        return dsl.select(DEAD_LETTER.ID, obstacle)
                .from(DEAD_LETTER)
                .where(open, obstacle.isNotNull())
                .orderBy(DEAD_LETTER.ID)
                .limit(OBSTACLES_SHOWN)
                .fetch(row -> "dead letter " + row.value1() + " " + row.value2());
    }
}
