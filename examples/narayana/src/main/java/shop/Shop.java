package shop;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Places orders and keeps the stock. Each method is what a framework would call with {@code @Transactional}. */
final class Shop {
    private final DataSource dataSource;
    private final Outbox outbox;

    Shop(DataSource dataSource, Outbox outbox) {
        this.dataSource = dataSource;
        this.outbox = outbox;
    }

    /** The order and its message are committed together, or neither is. */
    void place(String order, String item) throws Exception {
        Transactions.required(() -> {
            update("insert into orders values (?, ?)", order, item);
            append(order, item);
            return null;
        });
    }

    void append(String order, String item) {
        outbox.append(message(order, item));
    }

    static OutboxMessage message(String order, String item) {
        return OutboxMessage.to("orders").id(order).session(item).text(item).build();
    }

    void take(String item) throws Exception {
        Transactions.required(() -> update("update stock set pieces = pieces - 1 where item = ?", item));
    }

    void takeApart(String item) throws Exception {
        Transactions.requiresNew(() -> update("update stock set pieces = pieces - 1 where item = ?", item));
    }

    private int update(String sql, String... values) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
