package shop.order;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Service
public class Orders {
    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher events;

    Orders(JdbcTemplate jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    /** The order and its message are committed together, or neither is. */
    @Transactional
    public void place(String number, String item) {
        jdbc.update("insert into orders values (?, ?)", number, item);
        events.publishEvent(new OrderPlaced(number, item));
    }
}
