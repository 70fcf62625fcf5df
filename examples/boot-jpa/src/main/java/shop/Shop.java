package shop;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Service
public class Shop {
    private final Orders orders;
    private final Outbox outbox;

    Shop(Orders orders, Outbox outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    /** The order and its message are committed together, or neither is. */
    @Transactional
    public void place(String order, String item) {
        orders.save(new Order(order, item));
        outbox.append(message(order, item));
    }

    /** Forgets the transaction, and is refused. */
    public void placeWithoutTransaction(String order, String item) {
        orders.save(new Order(order, item));
        outbox.append(message(order, item));
    }

    private static OutboxMessage message(String order, String item) {
        return OutboxMessage.to("orders").id(order).session(item).json("{\"item\": \"" + item + "\"}").build();
    }
}
