package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.servicebus.embedded.journal.Delivered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A session is not let go of while its messages are on their way: they would go back and come again. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DeliveredOnceTest {
    private static final int SESSIONS = 200;
    private static final int MESSAGES_OF_EACH = 10;
    private static final int MESSAGES = SESSIONS * MESSAGES_OF_EACH;

    private BusFixture it;
    private TcpProxy network;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(database, broker -> broker.queue("orders", queue -> queue.requiresSession()));
        network = TcpProxy.to(it.bus.port());
    }

    @AfterEach
    void stop() {
        it.close();
        network.close();
    }

    @Test
    void across_a_slow_network() {
        network.delay(Duration.ofMillis(100));
        send();

        consume();

        assertDelivered();
    }

    @Test
    void on_busy_cores() throws InterruptedException {
        send();
        var busy = new ArrayList<Thread>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            busy.add(busyThread());
        }
        try {
            consume();
        } finally {
            for (Thread thread : busy) {
                thread.interrupt();
                thread.join();
            }
        }

        assertDelivered();
    }

    @Test
    void a_stop_counts_no_delivery_of_what_was_not_handled() {
        network.delay(Duration.ofMillis(50));
        send();
        for (int handled = 0; handled < MESSAGES; handled = it.effects().size()) {
            int atLeast = Math.min(MESSAGES, handled + MESSAGES / 5);
            InboxConsumer consumer = consumer();
            await().atMost(Duration.ofSeconds(60)).until(() -> it.effects().size() >= atLeast);
            consumer.close();
        }
        assertNoneCounted();
    }

    private static Thread busyThread() {
        var thread = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        });
        thread.start();
        return thread;
    }

    // The shortest time that a session can be kept: it is the first message that decides.
    private InboxConsumer consumer() {
        return it.consume(
                ServiceBusSource.ofQueue(this::clientAcrossTheNetwork, "orders").withSessions(),
                it::effect,
                settings -> settings.concurrency(32).tuning(tuning -> tuning.sessionIdle(Duration.ofMillis(1))));
    }

    private void consume() {
        consumer();
        await().atMost(Duration.ofSeconds(100))
                .untilAsserted(
                        () -> assertThat(it.bus.inspect("orders").active()).isZero());
    }

    private ServiceBusClientBuilder clientAcrossTheNetwork() {
        return new ServiceBusClientBuilder()
                .connectionString(it.bus.connectionString().replace(":" + it.bus.port(), ":" + network.port()));
    }

    private void send() {
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            for (int i = 0; i < MESSAGES_OF_EACH; i++) {
                var messages = new ArrayList<ServiceBusMessage>();
                for (int session = 0; session < SESSIONS; session++) {
                    messages.add(new ServiceBusMessage("x")
                            .setMessageId(session + "-" + i)
                            .setSessionId("s" + session));
                }
                sender.sendMessages(messages);
            }
        }
    }

    private void assertDelivered() {
        var journal = it.bus.journal("orders");
        assertThat(it.effects()).hasSize(MESSAGES);
        assertThat(journal.forgotten()).as("forgotten records").isZero();
        assertThat(journal.deliveryCount()).as("deliveries").isLessThanOrEqualTo(MESSAGES * 102 / 100);
        assertNoneCounted();
    }

    private void assertNoneCounted() {
        assertThat(it.bus.journal("orders").deliveries())
                .extracting(Delivered::deliveryCount)
                .as("delivery counts")
                .containsOnly(0);
    }
}
