package shop;

import dev.waybill.outbox.Outbox;
import dev.waybill.spring.InboxHandler;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Keeps the stock, and tells what is taken, in the database of the stock. */
@Service
public class Stock {
    private final JdbcTemplate jdbc;
    private final Outbox outbox;

    Stock(@Qualifier("stockJdbc") JdbcTemplate jdbc, @Qualifier("stock") Outbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    @Transactional("stockTransactions")
    @InboxHandler(destination = "orders", subject = "Ordered")
    public void take(Shop.Ordered order) {
        jdbc.update("update stock set pieces = pieces - 1 where item = ?", order.item());
        outbox.append(outbox.message("taken").id("taken-" + order.number()).body(new Taken(order.item())).build());
    }

    public int pieces(String item) {
        return jdbc.queryForObject("select pieces from stock where item = ?", Integer.class, item);
    }

    public record Taken(String item) {}
}
