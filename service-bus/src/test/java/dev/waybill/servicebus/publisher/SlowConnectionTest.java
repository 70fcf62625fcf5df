package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that takes long to make, as when the credentials come slowly, beside one that is there. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SlowConnectionTest {
    /** Names that one place of a hash table keeps together. */
    private static final List<String> NAMES = List.of("AaAa", "BBBB", "AaBB");

    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue(NAMES.get(0), queue -> queue)
            .queue(NAMES.get(1), queue -> queue)
            .queue(NAMES.get(2), queue -> queue)
            .start();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch handedOut = new CountDownLatch(1);
    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean slow;
    private final ServiceBusPublisher publisher = ServiceBusPublisher.of(this::connection);

    private ServiceBusClientBuilder connection() {
        connections.incrementAndGet();
        if (slow) {
            asked.countDown();
            try {
                handedOut.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    @AfterEach
    void stop() {
        handedOut.countDown();
        publisher.close();
        bus.close();
    }

    @Test
    void a_connection_that_is_slow_to_make_keeps_no_destination_that_has_one_waiting() throws Exception {
        assertThat(NAMES.stream().mapToInt(String::hashCode).distinct().count()).isEqualTo(1);
        publisher.prepare(NAMES.get(0)).toCompletableFuture().get(30, TimeUnit.SECONDS);
        publisher.prepare(NAMES.get(1)).toCompletableFuture().get(30, TimeUnit.SECONDS);
        slow = true;
        var preparing = CompletableFuture.supplyAsync(() -> publisher.prepare(NAMES.get(2)))
                .thenCompose(stage -> stage);
        asked.await();

        var sent = CompletableFuture.supplyAsync(
                        () -> publisher.publish(new Shipment(NAMES.get(1), List.of(), () -> true)))
                .thenCompose(stage -> stage);

        assertThat(sent.get(10, TimeUnit.SECONDS))
                .extracting(PublishResult::outcome)
                .isEqualTo(Outcome.ACCEPTED);
        assertThat(preparing).isNotDone();
    }

    @Test
    void a_connection_that_is_slow_to_make_keeps_no_other_from_being_made() throws Exception {
        slow = true;
        var preparing = CompletableFuture.supplyAsync(() -> publisher.prepare(NAMES.get(2)))
                .thenCompose(stage -> stage);
        asked.await();
        slow = false;

        CompletableFuture.supplyAsync(() -> publisher.prepare(NAMES.get(0)))
                .thenCompose(stage -> stage)
                .get(10, TimeUnit.SECONDS);

        assertThat(preparing).isNotDone();
    }

    @Test
    void sends_that_wait_for_a_connection_ask_for_no_other_after_the_close() throws Exception {
        slow = true;
        var first = publisher.publish(new Shipment(NAMES.get(0), List.of(), () -> true));
        asked.await();
        var second = publisher.publish(new Shipment(NAMES.get(0), List.of(), () -> true));

        publisher.close();
        handedOut.countDown();
        for (var sent : List.of(first, second)) {
            assertThat(sent.toCompletableFuture().get(10, TimeUnit.SECONDS).failure())
                    .hasMessageContaining("The publisher is closed");
        }

        assertThat(connections).hasValue(1);
    }
}
