package shop;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;

/** Places orders. */
final class Shop {
    private final Outbox outbox;

    Shop(Outbox outbox) {
        this.outbox = outbox;
    }

    /** The order and its message are committed together, or neither is. The message travels with the COMMIT. */
    void place(String order, String item) {
        outbox.inTransaction(tx -> {
            tx.insertInto(table("orders"), field("id", String.class), field("item", String.class))
                    .values(order, item)
                    .execute();
            outbox.append(tx, message(order, item));
        });
    }

    static OutboxMessage message(String order, String item) {
        return OutboxMessage.to("orders").id(order).session(item).text(item).build();
    }
}
