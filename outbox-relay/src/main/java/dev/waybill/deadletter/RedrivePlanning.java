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
        List<Share> shares = shares(dsl, open, order);
        var obstacles = new ArrayList<>(unserved(dsl, shares, order));
        if (shares.stream().anyMatch(share -> share.unsendable > 0)) {
            obstacles.addAll(obstacles(dsl, open));
        }
        var destinations = new TreeMap<String, Long>();
        shares.forEach(share -> destinations.merge(share.destination, share.messages, Long::sum));
        return new RedrivePlan(
                shares.stream().mapToLong(Share::messages).sum(),
                sessions(dsl, open),
                destinations,
                dsl.fetchCount(
                        DEAD_LETTER, filter.in(DeadLetterState.QUARANTINED).condition()),
                obstacles);
    }

    /** Whether everything can go; cheaper than a plan, which says more. */
    boolean isPossible(DSLContext dsl, DeadLetterFilter filter, RedriveOrder order) {
        List<Share> shares = shares(dsl, filter.in(DeadLetterState.OPEN).condition(), order);
        return shares.stream().allMatch(share -> share.unsendable == 0)
                && unserved(dsl, shares, order).isEmpty();
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

    private static List<Share> shares(DSLContext dsl, Condition open, RedriveOrder order) {
        return dsl.select(
                        DEAD_LETTER.ENTITY,
                        count(),
                        count().filterWhere(Obstacle.ofRow().isNotNull()))
                .from(DEAD_LETTER)
                .where(open)
                .groupBy(DEAD_LETTER.ENTITY)
                .orderBy(DEAD_LETTER.ENTITY)
                .fetch(row -> new Share(
                        order.target()
                                .orElseGet(() -> DeadLetterEntity.ofPath(row.value1(), false)
                                        .destination()),
                        row.value2(),
                        row.value3()));
    }

    private List<String> unserved(DSLContext dsl, List<Share> shares, RedriveOrder order) {
        if (order.way() == Way.CONSUMER) {
            return List.of();
        }
        Set<String> served = dsl.fetch("select destination from " + schema.table("outbox_destination"))
                .intoSet(0, String.class);
        return shares.stream()
                .filter(share -> !served.contains(share.destination))
                .map(share -> "no relay has ever served the destination '" + share.destination + "', where "
                        + share.messages + " would go")
                .toList();
    }

    private static long sessions(DSLContext dsl, Condition open) {
        return dsl.select(countDistinct(DEAD_LETTER.SESSION_ID))
                .from(DEAD_LETTER)
                .where(open)
                .fetchSingle()
                .value1();
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

    /** Those of one entity. */
    private record Share(String destination, long messages, long unsendable) {}
}
