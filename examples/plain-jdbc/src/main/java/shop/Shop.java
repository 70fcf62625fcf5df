package shop;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Places orders. */
final class Shop {
    private final Outbox outbox;

    Shop(Outbox outbox) {
        this.outbox = outbox;
    }

    /** The order and its message are committed together, or neither is. */
    void place(String order, String item) throws SQLException {
        outbox.inJdbcTransaction(tx -> {
            insert(tx, order, item);
            outbox.append(tx, message(order, item));
        });
    }

    private static void insert(Connection connection, String order, String item) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("insert into orders values (?, ?)")) {
            statement.setString(1, order);
            statement.setString(2, item);
            statement.executeUpdate();
        }
    }

    static OutboxMessage message(String order, String item) {
        return OutboxMessage.to("orders").id(order).session(item).text(item).build();
    }
}
