package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Publishers that are closed while a connection is still being made, as when the credentials come slowly. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PublisherCloseTest {
    private final EmbeddedServiceBus bus =
            EmbeddedServiceBus.builder().queue("orders", queue -> queue).start();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch handedOut = new CountDownLatch(1);
    private final ServiceBusPublisher publisher = ServiceBusPublisher.of(this::slowly);

    private ServiceBusClientBuilder slowly() {
        asked.countDown();
        try {
            handedOut.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    @AfterEach
    void stop() {
        bus.close();
    }

    @Test
    void a_close_while_the_publisher_prepares_leaves_no_connection() throws Exception {
        CompletableFuture<?> prepared =
                closedMeanwhile(publisher -> publisher.prepare("orders").thenApply(done -> true));

        assertThatThrownBy(() -> prepared.get(30, TimeUnit.SECONDS)).hasMessageContaining("The publisher is closed");
        assertThat(bus.connectionCount()).isZero();
    }

    @Test
    void a_close_while_the_first_send_connects_leaves_no_connection_and_sends_nothing() throws Exception {
        var shipment = new Shipment("orders", List.of(), () -> true, null);

        PublishResult result =
                closedMeanwhile(publisher -> publisher.publish(shipment)).get(30, TimeUnit.SECONDS);

        assertThat(result.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(result.failure()).hasMessageContaining("The publisher is closed");
        assertThat(bus.connectionCount()).isZero();
    }

    private <T> CompletableFuture<T> closedMeanwhile(Function<ServiceBusPublisher, CompletionStage<T>> use)
            throws InterruptedException {
        var used = CompletableFuture.supplyAsync(() -> use.apply(publisher)).thenCompose(stage -> stage);
        asked.await();
        publisher.close();
        handedOut.countDown();
        return used;
    }
}
