package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ConsumerHealth;
import dev.waybill.inbox.InboxConsumer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Consumers that their own handlers close, as one that meets a message which it must not go on after. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClosingHandlerTest {
    private final CompletableFuture<InboxConsumer> consumer = new CompletableFuture<>();
    private final AtomicInteger handled = new AtomicInteger();
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(database, broker -> broker.queue("orders", queue -> queue.requiresSession()));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    /** It would wait for itself as long as the drain lasts, be interrupted, and come again elsewhere. */
    @Test
    void a_handler_that_closes_its_consumer_gets_on_its_message_is_settled_and_the_consumer_ends() {
        consumer.complete(it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    handled.incrementAndGet();
                    consumer.join().close();
                    return it.effect(tx, message);
                },
                settings -> settings.tuning(tuning -> tuning.drain(Duration.ofSeconds(20)))));

        it.send("orders", "s", "m1");

        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(
                        () -> assertThat(it.bus.inspect("orders").active()).isZero());
        await().untilAsserted(() -> assertThat(consumer.join().health().loops()).noneMatch(ConsumerHealth.Loop::alive));
        assertThat(it.effects()).containsExactly("m1");
        assertThat(handled).hasValue(1);
    }
}
