package dev.waybill.spring.figures;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

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
            messages("waybill.outbox.pending", "destination", name, "pending");
            gauge(
                    "waybill.outbox.oldest.pending.age",
                    "seconds",
                    "destination",
                    name,
                    read -> read.oldestSeconds("pending", name));
            messages("waybill.outbox.held", "destination", name, "held");
            messages("waybill.outbox.scheduled", "destination", name, "scheduled");
        }
        consumers.forEach(name -> messages("waybill.inbox.held", "consumer", name, "inbox-held"));
        entities.forEach(name -> messages("waybill.dlq.depth", "entity", name, "dead-letters"));
    }

    private void messages(String meter, String tag, String name, String figure) {
        gauge(meter, "messages", tag, name, read -> read.messages(figure, name));
    }

    private void gauge(String meter, String unit, String tag, String name, ToDoubleFunction<Figures> value) {
        Gauge.builder(meter, figures, value)
                .baseUnit(unit)
                .tags(tags)
                .tag(tag, name)
                .register(registry);
    }
}
