package dev.waybill.deadletter.redrive;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;
import static dev.waybill.schema.jooq.Tables.DEAD_LETTER_REDRIVE_PAGE;
import static org.jooq.impl.DSL.arrayAgg;
import static org.jooq.impl.DSL.cardinality;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.orderBy;
import static org.jooq.impl.DSL.rowNumber;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.val;

import java.math.BigDecimal;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;

/** The letters of a run in pages of ids: a row for each would cost as much as a small message. */
final class RedrivePages {
    /** Letters on each page but the last one. */
    static final int SIZE = 500;

    private RedrivePages() {}

    static int pageAt(int position) {
        return position / SIZE;
    }

    static int takenOf(int position) {
        return position % SIZE;
    }

    static int leftOn(int position) {
        return SIZE - takenOf(position);
    }

    /** Writes pages in the order of the first enqueuing, which is that of the sessions. Returns the number of letters. */
    static int write(DSLContext tx, long run, Condition which) {
        Field<Integer> place = rowNumber()
                .over(orderBy(
                        coalesce(DEAD_LETTER.FIRST_ENQUEUED_AT, DEAD_LETTER.ENQUEUED_AT),
                        coalesce(DEAD_LETTER.FIRST_SEQUENCE_NUMBER, DEAD_LETTER.SEQUENCE_NUMBER),
                        DEAD_LETTER.ID))
                .minus(1)
                .as("place");
        var ordered =
                select(DEAD_LETTER.ID, place).from(DEAD_LETTER).where(which).asTable("ordered");
        Field<Integer> page = ordered.field(place).div(inline(SIZE));
        tx.insertInto(
                        DEAD_LETTER_REDRIVE_PAGE,
                        DEAD_LETTER_REDRIVE_PAGE.REDRIVE,
                        DEAD_LETTER_REDRIVE_PAGE.PAGE,
                        DEAD_LETTER_REDRIVE_PAGE.DEAD_LETTERS)
                .select(select(
                                val(run),
                                page,
                                arrayAgg(ordered.field(DEAD_LETTER.ID)).orderBy(ordered.field(place)))
                        .from(ordered)
                        .groupBy(page))
                .execute();
        return tx.select(coalesce(sum(cardinality(DEAD_LETTER_REDRIVE_PAGE.DEAD_LETTERS)), inline(BigDecimal.ZERO)))
                .from(DEAD_LETTER_REDRIVE_PAGE)
                .where(DEAD_LETTER_REDRIVE_PAGE.REDRIVE.eq(run))
                .fetchSingle()
                .value1()
                .intValue();
    }
}
