package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A namespace that answers each send with an internal error is no broker that is ready. */
class UnexplainedFailuresTest {
    @Test
    void a_broker_that_fails_without_a_reason_is_not_ready() {
        var nanos = new AtomicLong();
        var failing = new Publisher() {
            @Override
            public CompletionStage<PublishResult> publish(Shipment shipment) {
                return CompletableFuture.completedFuture(
                        new PublishResult(0, Outcome.UNEXPLAINED, new IOException("amqp:internal-error")));
            }

            @Override
            public void close() {}
        };
        var sends = new SendMetrics(failing, new SimpleMeterRegistry(), "main", nanos::get);
        for (int i = 0; i < 10; i++) {
            sends.publish(new Publisher.Shipment("orders", List.of(), () -> true));
            nanos.addAndGet(Duration.ofSeconds(20).toNanos());
        }
        assertThat(sends.silence()).isGreaterThan(Duration.ofSeconds(100));
    }
}
