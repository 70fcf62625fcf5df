package shop;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import org.jooq.DSLContext;

/** Keeps the stock. */
final class Stock {
    private Stock() {}

    /** Takes one piece of the item that was ordered, in the transaction that records the message. */
    static Verdict take(DSLContext tx, InboundMessage message) {
        var pieces = field("pieces", Integer.class);
        int taken = tx.update(table("stock"))
                .set(pieces, pieces.minus(1))
                .where(field("item", String.class).eq(message.text()))
                .and(pieces.gt(0))
                .execute();
        return taken == 1 ? Verdict.done() : Verdict.deadLetter("OutOfStock", "There is no " + message.text());
    }
}
