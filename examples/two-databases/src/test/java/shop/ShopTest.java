package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest
class ShopTest {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final EmbeddedServiceBus BUS = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue.requiresSession())
            .queue("taken")
            .start();

    @Autowired
    private Shop shop;

    @Autowired
    private Stock stock;

    @Autowired
    private JdbcTemplate orders;

    @Autowired
    @Qualifier("stockJdbc")
    private JdbcTemplate wares;

    @DynamicPropertySource
    static void places(DynamicPropertyRegistry registry) throws SQLException {
        registry.add("orders.jdbc-url", () -> SERVER.jdbcUrl());
        registry.add("stock.jdbc-url", () -> SERVER.jdbcUrl().replace("/postgres", "/stock"));
        registry.add("waybill.servicebus.connection-string", BUS::connectionString);
        execute(SERVER.jdbcUrl(), "create database stock");
        execute(SERVER.jdbcUrl(), "create table orders (number text primary key, item text not null)");
        execute(
                SERVER.jdbcUrl().replace("/postgres", "/stock"),
                "create table stock (item text primary key, pieces int not null); insert into stock values ('lamp', 10)");
    }

    private static void execute(String url, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void an_order_in_one_database_takes_its_item_in_the_other_and_both_relays_publish() {
        shop.place(new Shop.Ordered("o-1", "lamp"));

        await().atMost(Duration.ofSeconds(60)).until(() -> stock.pieces("lamp") == 9);
        await().until(() -> BUS.inspect("taken").active() == 1);
        assertThat(pending(orders)).isEmpty();
        await().untilAsserted(() -> assertThat(pending(wares)).isEmpty());
        assertThat(wares.queryForList("select message_id from waybill.inbox_message", String.class)).containsExactly("o-1");
    }

    private static List<String> pending(JdbcTemplate jdbc) {
        return jdbc.queryForList("select message_id from waybill.outbox_message", String.class);
    }
}
