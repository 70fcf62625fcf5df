package dev.waybill.hold;

import static dev.waybill.hold.HoldTables.HOLD;
import static org.jooq.impl.DSL.max;

import dev.waybill.schema.DeadlockRetry;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Visits the selected holds in order, a page at a time, and changes each in its own transaction. Skips newer holds. */
record HoldSweep(DSLContext dsl, HoldSide side, HoldAudit audit, Condition which) {
    private static final int PAGE = 100;

    void show(Consumer<Hold> visitor) {
        pages(page -> HoldRows.fetch(dsl, side, HOLD.ID.in(page)).forEach(visitor));
    }

    HoldTally tally() {
        return HoldRows.tally(dsl, which);
    }

    /** @param deed returns the number of changed messages */
    HoldTally each(ToLongFunction<LockedHold> deed) {
        var tally = new HoldTally[] {HoldTally.NONE};
        pages(page -> page.forEach(id -> tally[0] = tally[0].plus(one(id, deed))));
        return tally[0];
    }

    private void pages(Consumer<List<Long>> visitor) {
        @Nullable Long last =
                dsl.select(max(HOLD.ID)).from(HOLD).where(which).fetchSingle().value1();
        long after = 0;
        while (last != null && after < last) {
            List<Long> page = dsl.select(HOLD.ID)
                    .from(HOLD)
                    .where(which, HOLD.ID.gt(after), HOLD.ID.le(last))
                    .orderBy(HOLD.ID)
                    .limit(PAGE)
                    .fetch(HOLD.ID);
            visitor.accept(page);
            after = page.size() < PAGE ? last : page.get(PAGE - 1);
        }
    }

    private HoldTally one(long id, ToLongFunction<LockedHold> deed) {
        return DeadlockRetry.of(() -> dsl.transactionResult(tx -> locked(tx.dsl(), id, deed)));
    }

    // The hold may have changed or ended since it was selected, so the condition is checked again under the lock.
    private HoldTally locked(DSLContext tx, long id, ToLongFunction<LockedHold> deed) {
        @Nullable HoldKey key = tx.select(HoldRows.columns(side))
                .from(HOLD)
                .where(HOLD.ID.eq(id), which)
                .forUpdate()
                .fetchOptional(row -> HoldRows.key(row, side))
                .orElse(null);
        if (key == null) {
            return HoldTally.NONE;
        }
        var hold = new LockedHold(tx, id, key, audit);
        return hold.isBusy() ? new HoldTally(0, 0, 1) : new HoldTally(1, deed.applyAsLong(hold), 0);
    }
}
