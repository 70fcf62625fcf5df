package shop;

import dev.waybill.outbox.Outbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders, in the database of orders. */
@Service
public class Shop {
    private final JdbcTemplate jdbc;
    private final Outbox outbox;

    Shop(JdbcTemplate jdbc, Outbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    /** The order and its message are committed together, or neither is. */
    @Transactional
    public void place(Ordered order) {
        jdbc.update("insert into orders values (?, ?)", order.number(), order.item());
        outbox.append(outbox.message("orders").id(order.number()).session(order.item()).body(order).build());
    }

    public record Ordered(String number, String item) {}
}
