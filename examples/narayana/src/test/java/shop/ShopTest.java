package shop;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.jakarta.JakartaTransactionBoundary;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.outbox.Outbox;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestMessage;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import dev.waybill.test.proof.HandlerProof;
import dev.waybill.test.proof.ProofReport;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import java.sql.Connection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private String url;
    private String user;
    private AgroalDataSource pool;
    private Shop shop;

    @BeforeEach
    void open(DataSource dataSource) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            url = connection.getMetaData().getURL();
            user = connection.getMetaData().getUserName();
            pool = Transactions.pool(url, user);
        }
        Outbox outbox = Waybill.outbox(pool, executor);
        shop = new Shop(pool, outbox);
    }

    @AfterEach
    void close() {
        executor.shutdown();
        pool.close();
    }

    @Test
    void a_handler_that_calls_a_transactional_service_and_fails_twice_has_its_effects_once(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        var tries = new AtomicInteger();
        Handler failsTwice = (tx, message) -> {
            shop.take(message.text());
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("after the work");
            }
            return Verdict.done();
        };

        try (var relay = Waybill.relay(pool, waybill.connectionString());
                var consumer = Waybill.consumer(pool, waybill.connectionString(), failsTwice)) {
            shop.place("o-1", "lamp");
            await().until(() -> tries.get() == 3 && pieces(dataSource) < 10);
        }

        assertEquals(9, pieces(dataSource));
        waybill.handled("stock").hasIds("o-1");
    }

    /** The loss that the boundary prevents: each try books in a transaction of its own. */
    @Test
    void in_the_consumers_own_transactions_the_same_handler_would_repeat_its_effects(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        var tries = new AtomicInteger();
        shop.place("o-1", "lamp");
        waybill.publish();

        waybill.consumer("naive", "orders", (tx, message) -> {
                    shop.take(message.text());
                    if (tries.incrementAndGet() < 3) {
                        throw new IllegalStateException("after the work");
                    }
                    return Verdict.done();
                })
                .handleAll()
                .hasIds("o-1");

        assertEquals(7, pieces(dataSource));
    }

    @Test
    void an_append_without_a_transaction_is_refused(TestWaybill waybill) {
        assertThrows(NoTransactionException.class, () -> shop.append("o-1", "lamp"));

        waybill.appended().isEmpty();
    }

    /** The loss beside the manager: the pool's auto-commit is off, and nobody commits a connection of one's own. */
    @Test
    void an_append_that_nobody_commits_is_found(TestWaybill waybill) throws Exception {
        shop.place("o-1", "lamp");
        waybill.requireAppendsCommitted();

        try (var apart = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(connections -> connections
                        .maxSize(1)
                        .connectionFactoryConfiguration(factory -> factory.jdbcUrl(url)
                                .principal(new NamePrincipal(user))
                                .autoCommit(false))))) {
            try (Connection forgotten = waybill.watch(apart).getConnection()) {
                Outbox.create().append(forgotten, Shop.message("o-2", "lamp"));
            }
        }

        waybill.appended().hasIds("o-1");
        assertThrows(AssertionError.class, waybill::requireAppendsCommitted);
    }

    @Test
    void effects_outside_the_handlers_transaction_are_found_by_the_proof(DataSource dataSource) throws Exception {
        assertFalse(proof(dataSource, (tx, message) -> {
                    shop.takeApart(message.text());
                    return Verdict.done();
                })
                .faults()
                .isEmpty());
        assertTrue(
                proof(dataSource, (tx, message) -> {
                            shop.take(message.text());
                            return Verdict.done();
                        })
                        .faults()
                        .isEmpty());
    }

    private ProofReport proof(DataSource dataSource, Handler handler) throws Exception {
        return HandlerProof.of(dataSource, handler)
                .transactions(any -> new JakartaTransactionBoundary(Transactions.USER, pool))
                .messages(order("o-1"), order("o-2"))
                .run();
    }

    private static TestMessage order(String id) {
        return TestMessage.of(id).entity("orders").session("lamp").text("lamp").build();
    }

    private static int pieces(DataSource dataSource) throws Exception {
        try (Connection connection = dataSource.getConnection();
                var row = connection.createStatement().executeQuery("select pieces from stock")) {
            row.next();
            return row.getInt(1);
        }
    }
}
