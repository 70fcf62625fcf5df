package shop.stock;

import dev.waybill.spring.InboxHandler;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import shop.order.OrderPlaced;

/** Keeps the stock, also in a process of its own. */
@Service
public class Stock {
    private final JdbcTemplate jdbc;

    Stock(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @InboxHandler(destination = "orders", subject = "OrderPlaced")
    void take(OrderPlaced order) {
        jdbc.update("update stock set pieces = pieces - 1 where item = ?", order.item());
    }

    public int pieces(String item) {
        return jdbc.queryForObject("select pieces from stock where item = ?", Integer.class, item);
    }
}
