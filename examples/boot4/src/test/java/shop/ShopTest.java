package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest
class ShopTest {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final EmbeddedServiceBus BUS = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue.requiresSession())
            .queue("audits")
            .queue("naive")
            .queue("outside")
            .start();

    @Autowired
    private Shop shop;

    @Autowired
    private Stock stock;

    @Autowired
    private Audit audit;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private DataSource dataSource;

    @Autowired
    private Trouble trouble;

    @DynamicPropertySource
    static void places(DynamicPropertyRegistry registry) {
        registry.add("spring.datasource.url", SERVER::jdbcUrl);
        registry.add("waybill.servicebus.connection-string", BUS::connectionString);
    }

    /** Fails after the stock's transactional service has done its work. */
    @TestConfiguration
    static class Trouble {
        final AtomicInteger ahead = new AtomicInteger();

        @EventListener
        void taken(Handlers.Taken taken) {
            if (ahead.getAndDecrement() > 0) {
                throw new IllegalStateException("after the work");
            }
        }
    }

    @Test
    void a_handler_that_calls_a_transactional_service_and_fails_twice_has_its_effects_once() {
        int before = stock.pieces("lamp");
        trouble.ahead.set(2);

        shop.place("o-1", "lamp");

        await().atMost(Duration.ofSeconds(60)).until(() -> trouble.ahead.get() < 0);
        await().untilAsserted(() -> assertThat(stock.pieces("lamp")).isEqualTo(before - 1));
        await().untilAsserted(
                () -> assertThat(BUS.inspect("orders").active()).isZero());
        assertThat(stock.pieces("lamp")).isEqualTo(before - 1);
    }

    /** The loss that Spring's transactions prevent: each try books in a transaction of its own. */
    @Test
    void in_the_consumers_own_transactions_the_same_handler_would_repeat_its_effects() {
        int before = stock.pieces("lamp");
        var tries = new AtomicInteger();
        Handler failsTwice = (tx, message) -> {
            stock.take(message.text());
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("after the work");
            }
            return Verdict.done();
        };

        send("naive", "lamp");
        consume("naive", failsTwice, () -> tries.get() == 3);

        assertThat(stock.pieces("lamp")).isEqualTo(before - 3);
    }

    @Test
    void a_pool_with_auto_commit_off_sends_each_message_once() {
        int before = stock.pieces("chair");
        long stored = BUS.journal("orders").storedCount();

        for (int i = 0; i < 5; i++) {
            shop.place("chair-" + i, "chair");
        }

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(stock.pieces("chair")).isEqualTo(before - 5));
        await().untilAsserted(() -> assertThat(jdbc.queryForObject(
                        "select coalesce(sum(pending), 0) from waybill.outbox_backlog", Long.class))
                .isZero());
        assertThat(BUS.journal("orders").storedCount() - stored).isEqualTo(5);
    }

    @Test
    void an_append_without_a_transaction_is_refused() {
        assertThatThrownBy(() -> shop.placeWithoutTransaction("o-2", "lamp"))
                .isInstanceOf(NoTransactionException.class);
    }

    @Test
    void effects_outside_the_handlers_transaction_are_found() {
        send("audits", "a line");

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(BUS.inspect("audits").deadLetters()).isOne());
    }

    /** The loss that is found so: each try writes its line, and nobody is told. */
    @Test
    void in_the_consumers_own_transactions_work_outside_is_repeated_and_not_found() {
        var tries = new AtomicInteger();
        Handler failsTwice = (tx, message) -> {
            audit.write("naive");
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("after the work");
            }
            return Verdict.done();
        };

        send("outside", "naive");
        consume("outside", failsTwice, () -> tries.get() == 3);

        assertThat(jdbc.queryForObject("select count(*) from audit where line = 'naive'", Integer.class))
                .isEqualTo(3);
        assertThat(BUS.inspect("outside").deadLetters()).isZero();
    }

    private void consume(String queue, Handler handler, BooleanSupplier handled) {
        try (var naive = InboxConsumer.builder(dataSource)
                .name(queue)
                .source(ServiceBusSource.ofQueue(BUS.connectionString(), queue))
                .handler(handler)
                .start()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> handled.getAsBoolean() && BUS.inspect(queue).active() == 0);
        }
    }

    private static void send(String queue, String text) {
        try (var sender = serviceBus().sender().queueName(queue).buildClient()) {
            sender.sendMessage(new ServiceBusMessage(text).setMessageId(queue + "-1"));
        }
    }

    private static ServiceBusClientBuilder serviceBus() {
        return new ServiceBusClientBuilder().connectionString(BUS.connectionString());
    }
}
