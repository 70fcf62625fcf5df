package dev.waybill.spring.instruments;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Deferral;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.InboundMessage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;

/** Counts what becomes of a consumer's messages, and measures the time from the broker's arrival, by its clock, to the commit. */
final class ConsumerMeters implements ConsumerListener {
    private final MeterRegistry registry;
    private final Tags tags;

    ConsumerMeters(MeterRegistry registry, String consumer) {
        this.registry = registry;
        tags = Tags.of("consumer", consumer);
    }

    @Override
    public void received(InboundMessage message) {
        count("waybill.inbox.received", tags);
    }

    @Override
    public void settled(InboundMessage message, Outcome outcome) {
        count("waybill.inbox.settled", tags.and("outcome", Meters.tag(outcome)));
        if (outcome == Outcome.DONE) {
            Instant now = Instant.ofEpochMilli(registry.config().clock().wallTime());
            registry.timer("waybill.inbox.lag", tags).record(Duration.between(message.enqueuedAt(), now));
        }
    }

    @Override
    public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
        count("waybill.inbox.failures", tags.and("kind", Meters.tag(kind)));
    }

    @Override
    public void lockLost(InboundMessage message) {
        count("waybill.inbox.locks.lost", tags);
    }

    @Override
    public void forgotten(Deferral deferral) {
        count("waybill.inbox.deferrals.forgotten", tags);
    }

    private void count(String name, Tags tagged) {
        registry.counter(name, tagged).increment();
    }
}
