package dev.waybill.spring.figures;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;

/** Gauges of what waits, under the names of the relay's own process. Each instance of a service reports them: take the maximum. */
public final class FigureMeters {
    private final MeterRegistry registry;
    private final Figures figures;
    private final Tags tags;

    /** @param tags of all gauges */
    public FigureMeters(MeterRegistry registry, Figures figures, Tags tags) {
        this.registry = registry;
        this.figures = figures;
        this.tags = tags;
    }

    public void register(Collection<String> destinations, Collection<String> consumers, Collection<String> entities) {
        for (String name : destinations) {
            Tag tag = Tag.of("destination", name);
            messages("waybill.outbox.pending", "Messages that wait to be published", tag, "pending");
            gauge(
                    Gauge.builder(
                                    "waybill.outbox.oldest.pending.age",
                                    figures,
                                    read -> read.oldestSeconds("pending", name))
                            .baseUnit("seconds")
                            .description("Age of the oldest message that waits to be published"),
                    tag);
            messages("waybill.outbox.held", "Messages on hold, not published", tag, "held");
            messages("waybill.outbox.scheduled", "Messages that are published later", tag, "scheduled");
        }
        consumers.forEach(name -> messages(
                "waybill.inbox.held", "Messages on hold, not handled", Tag.of("consumer", name), "inbox-held"));
        entities.forEach(
                name -> messages("waybill.dlq.depth", "Open dead letters", Tag.of("entity", name), "dead-letters"));
    }

    private void messages(String meter, String description, Tag tag, String figure) {
        gauge(
                Gauge.builder(meter, figures, read -> read.messages(figure, tag.getValue()))
                        .baseUnit("messages")
                        .description(description),
                tag);
    }

    private void gauge(Gauge.Builder<Figures> gauge, Tag tag) {
        gauge.tags(tags).tags(Tags.of(tag)).register(registry);
    }
}
