package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Publisher.Shipment;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Readiness after the only message of a destination has failed, and was paused, skipped, or went to another relay. */
class SilenceTest {
    private static final class Away implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(PublishResult.failed(0, new IOException("away")));
        }

        @Override
        public void close() {}
    }

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void a_broker_that_nobody_asks_any_more_is_not_silent() {
        var sends = new SendMetrics(new Away(), new SimpleMeterRegistry(), "main", nanos::get);
        sends.publish(shipment());
        pass(Duration.ofSeconds(40));
        sends.publish(shipment());
        assertThat(sends.silence()).isEqualTo(Duration.ofSeconds(40));
        assertThat(sends.cause()).contains("away");

        pass(Duration.ofSeconds(20));
        assertThat(sends.cause()).as("a later send waits").contains("away (20 s ago, and no answer since then)");

        pass(Duration.ofSeconds(71));

        assertThat(sends.silence()).isZero();
        assertThat(sends.cause()).isEmpty();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static Shipment shipment() {
        return new Shipment("orders", List.of(), () -> true);
    }
}
