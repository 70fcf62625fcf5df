package shop;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestMessage;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import dev.waybill.test.proof.FaultKind;
import dev.waybill.test.proof.HandlerProof;
import dev.waybill.test.proof.ProofReport;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ShopTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(
                    bus -> bus.queue("orders", QueueOptions::requiresSession))
            .tables(
                    "create table orders (id text primary key, item text not null)",
                    "create table stock (item text primary key, pieces int not null)",
                    "insert into stock values ('lamp', 10)");

    @Test
    void an_order_takes_from_the_stock_once(TestWaybill waybill, DataSource dataSource) throws Exception {
        try (var relay = Waybill.relay(dataSource, waybill.connectionString());
                var consumer = Waybill.consumer(dataSource, waybill.connectionString())) {
            new Shop(Waybill.outbox(dataSource, relay)).place("o-1", "lamp");
            await().until(() -> pieces(dataSource) == 9);
        }
        waybill.published("orders").hasIds("o-1");
        waybill.handled("stock").hasIds("o-1");
    }

    /** A relay that is not notified finds the order by its next poll, half a second later. */
    @Test
    void the_relay_is_notified_of_an_order_that_is_committed_and_of_no_other(DataSource dataSource) throws Exception {
        var told = new ArrayList<String>();
        var shop = new Shop(Waybill.outbox(dataSource, told::add));

        shop.place("o-1", "lamp");
        assertThrows(Exception.class, () -> shop.place("o-1", "lamp"));

        assertEquals(List.of("orders"), told);
    }

    @Test
    void an_order_that_fails_leaves_no_message(TestWaybill waybill, DataSource dataSource) throws Exception {
        var shop = new Shop(Outbox.of(dataSource));
        shop.place("o-1", "lamp");

        assertThrows(Exception.class, () -> shop.place("o-1", "lamp"));

        waybill.appended().hasIds("o-1");
    }

    @Test
    void a_handler_that_fails_twice_after_its_work_has_its_effects_once(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        new Shop(Outbox.of(dataSource)).place("o-1", "lamp");
        waybill.publish();
        var tries = new AtomicInteger();
        Handler failsTwice = (tx, message) -> {
            Stock.take(tx, message);
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("after the work");
            }
            return Verdict.done();
        };

        waybill.consumer("stock", "orders", failsTwice).handleAll().hasIds("o-1");

        assertEquals(3, tries.get());
        assertEquals(9, pieces(dataSource));
    }

    /** The loss that the handler's transaction prevents: each try books by a connection of its own. */
    @Test
    void by_a_connection_of_its_own_the_same_handler_repeats_its_effects(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        new Shop(Outbox.of(dataSource)).place("o-1", "lamp");
        waybill.publish();
        var tries = new AtomicInteger();
        Handler failsTwice = (tx, message) -> {
            Stock.take(DSL.using(dataSource, SQLDialect.POSTGRES), message);
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("after the work");
            }
            return Verdict.done();
        };

        waybill.consumer("naive", "orders", failsTwice).handleAll().hasIds("o-1");

        assertEquals(7, pieces(dataSource));
    }

    @Test
    void a_pool_with_auto_commit_off_sends_each_message_once(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        try (var pool = new HikariDataSource(withoutAutoCommit(dataSource));
                var relay = Waybill.relay(pool, waybill.connectionString());
                var consumer = Waybill.consumer(pool, waybill.connectionString())) {
            var shop = new Shop(Waybill.outbox(pool, relay));
            for (int i = 0; i < 5; i++) {
                shop.place("o-" + i, "lamp");
            }
            await().until(() -> pieces(dataSource) == 5);
        }
        assertEquals(0, waybill.publish(), "what the relay has not recorded would be sent again");
        assertEquals(5, waybill.bus().journal("orders").storedCount());
    }

    /** The loss: the order is there, and its message is not. No exception tells of it. */
    @Test
    void an_append_that_nobody_commits_is_found(TestWaybill waybill, DataSource dataSource) throws Exception {
        try (var pool = new HikariDataSource(withoutAutoCommit(dataSource))) {
            DataSource watched = waybill.watch(pool);
            new Shop(Outbox.of(watched)).place("o-1", "lamp");
            waybill.requireAppendsCommitted();

            try (Connection business = watched.getConnection();
                    Connection forgotten = watched.getConnection()) {
                business.createStatement().execute("insert into orders values ('o-2', 'lamp')");
                business.commit();
                Outbox.create().append(forgotten, Shop.message("o-2", "lamp"));
            }
        }

        assertEquals(2, orders(dataSource));
        waybill.appended().hasIds("o-1");
        assertThrows(AssertionError.class, waybill::requireAppendsCommitted);
    }

    @Test
    void the_stock_is_proven_to_have_its_effects_once(DataSource dataSource) throws Exception {
        HandlerProof.of(dataSource, Stock::take)
                .messages(order("o-1"), order("o-2"))
                .requireNoFault();
    }

    @Test
    void effects_through_a_connection_of_the_handlers_own_are_found(DataSource dataSource) throws Exception {
        ProofReport report = HandlerProof.restarting(dataSource, own -> (tx, message) ->
                        Stock.take(DSL.using(own, SQLDialect.POSTGRES), message))
                .messages(order("o-1"), order("o-2"))
                .run();

        assertTrue(report.has(FaultKind.AUTO_COMMIT), report::toString);
    }

    private static TestMessage order(String id) {
        return TestMessage.of(id).entity("orders").session("lamp").text("lamp").build();
    }

    private static HikariConfig withoutAutoCommit(DataSource dataSource) throws Exception {
        var config = new HikariConfig();
        try (Connection connection = dataSource.getConnection()) {
            config.setJdbcUrl(connection.getMetaData().getURL());
            config.setUsername(connection.getMetaData().getUserName());
        }
        config.setAutoCommit(false);
        config.setMaximumPoolSize(20);
        return config;
    }

    private static int pieces(DataSource dataSource) throws Exception {
        return number(dataSource, "select pieces from stock");
    }

    private static int orders(DataSource dataSource) throws Exception {
        return number(dataSource, "select count(*) from orders");
    }

    private static int number(DataSource dataSource, String query) throws Exception {
        try (Connection connection = dataSource.getConnection();
                var row = connection.createStatement().executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }
}
