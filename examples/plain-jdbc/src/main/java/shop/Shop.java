package shop;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Places orders. */
final class Shop {
    private final DataSource dataSource;
    private final Runnable relay;
    private final Outbox outbox = Outbox.create();

    /** @param relay is run after each commit: {@code relay::wake}, so that a message need not wait for its next look */
    Shop(DataSource dataSource, Runnable relay) {
        this.dataSource = dataSource;
        this.relay = relay;
    }

    /** The order and its message are committed together, or neither is. */
    void place(String order, String item) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                insert(connection, order, item);
                outbox.append(connection, message(order, item));
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
        relay.run();
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
