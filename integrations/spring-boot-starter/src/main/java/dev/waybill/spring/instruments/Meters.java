package dev.waybill.spring.instruments;

import dev.waybill.inbox.Handler;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/** Meters by Micrometer. {@code outbox.publish} is what the relay's own process calls it, too. */
final class Meters implements Instruments {
    private final MeterRegistry registry;

    Meters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Publisher around(Publisher publisher) {
        return new Sends(publisher);
    }

    @Override
    public Watched watch(String consumer, Handler handler) {
        return new Watched(handler, new ConsumerMeters(registry, consumer));
    }

    static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private final class Sends implements Publisher {
        private final Publisher publisher;

        Sends(Publisher publisher) {
            this.publisher = publisher;
        }

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return publisher.publish(shipment).whenComplete((result, thrown) -> {
                if (result != null) {
                    count(shipment, result);
                }
            });
        }

        private void count(Shipment shipment, PublishResult result) {
            count(shipment, Outcome.ACCEPTED, result.accepted());
            Outcome outcome = result.outcome();
            if (outcome != Outcome.ACCEPTED) {
                int left = shipment.rows().size() - result.accepted();
                count(shipment, outcome, outcome == Outcome.MESSAGE_REFUSED ? 1 : left);
            }
        }

        private void count(Shipment shipment, Outcome outcome, int messages) {
            if (messages > 0) {
                registry.counter(
                                "waybill.outbox.publish",
                                Tags.of("destination", shipment.destination(), "outcome", tag(outcome)))
                        .increment(messages);
            }
        }

        @Override
        public CompletionStage<?> prepare(String destination) {
            return publisher.prepare(destination);
        }

        @Override
        public boolean followsEntities() {
            return publisher.followsEntities();
        }

        @Override
        public String place(String destination) {
            return publisher.place(destination);
        }

        @Override
        public Duration longestSend() {
            return publisher.longestSend();
        }

        @Override
        public void close() {
            publisher.close();
        }
    }
}
