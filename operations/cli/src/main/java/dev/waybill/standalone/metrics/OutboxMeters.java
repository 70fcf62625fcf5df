package dev.waybill.standalone.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The gauges of one outbox from its last reading. Outdated values disappear, and one gauge shows whether the database answers.
 * Thread-safe.
 */
public final class OutboxMeters {
    private static final Duration SHORTEST_VALIDITY = Duration.ofMinutes(1);

    private final MeterRegistry registry;
    private final String database;
    private final LongSupplier nanos;
    private final Duration validity;
    private final OutboxTotals outbox;
    private final GaugeRows own;
    private final GaugeRows.Rows<MetricsReading> owned;
    private volatile long readAt;
    private boolean shown;
    private boolean working;
    private long waiting;

    /**
     * Registers the meters.
     *
     * @param interval between reads
     */
    public OutboxMeters(MeterRegistry registry, String database, Duration interval) {
        this(registry, database, interval, System::nanoTime);
    }

    OutboxMeters(MeterRegistry registry, String database, Duration interval, LongSupplier nanos) {
        this.registry = registry;
        this.database = database;
        this.nanos = nanos;
        Duration several = interval.multipliedBy(4);
        validity = several.compareTo(SHORTEST_VALIDITY) < 0 ? SHORTEST_VALIDITY : several;
        readAt = nanos.getAsLong();
        outbox = new OutboxTotals(registry, database);
        own = new GaugeRows(registry, database);
        owned = own.of("waybill.relay.destinations", "", "Destinations that this relay owns", reading -> Tags.empty());
        gauge("waybill.database.up", "", "1 if the database answered when it was asked last", m -> m.isUp() ? 1 : 0);
        gauge(
                "waybill.database.read.age",
                "seconds",
                "How old the figures of this database are; since the start if there are none",
                m -> m.age().toMillis() / 1000.0);
        gauge(
                "waybill.outbox.relay.working",
                "",
                "1 if every lane has a living owner; 0 if messages stand still, or the database cannot be asked",
                m -> m.isWorking() ? 1 : 0);
    }

    public synchronized void show(MetricsReading reading) {
        readAt = nanos.getAsLong();
        shown = true;
        working = reading.status().isWorking();
        waiting = reading.waiting();
        owned.show(List.of(reading), all -> all.part().destinations());
        if (reading.part().tellsOfAll()) {
            outbox.show(reading);
        } else {
            outbox.hide();
        }
    }

    /** Hides the values: after a failed reading, no value is better than an old one. */
    public synchronized void hide() {
        shown = false;
        own.hide();
        outbox.hide();
    }

    /** Hides outdated values before each scrape. */
    public synchronized void hideOld() {
        if (shown && age().compareTo(validity) > 0) {
            hide();
        }
    }

    private Duration age() {
        return Duration.ofNanos(nanos.getAsLong() - readAt);
    }

    private synchronized boolean isUp() {
        return shown && age().compareTo(validity) <= 0;
    }

    /** Destinations whose messages are due; empty if the last reading failed or is old. */
    synchronized OptionalLong waiting() {
        return isUp() ? OptionalLong.of(waiting) : OptionalLong.empty();
    }

    private synchronized boolean isWorking() {
        return working && isUp();
    }

    private void gauge(String name, String unit, String description, ToDoubleFunction<OutboxMeters> value) {
        Gauge.builder(name, this, value)
                .baseUnit(unit.isEmpty() ? null : unit)
                .description(description)
                .tags(Tags.of("database", database))
                .strongReference(true)
                .register(registry);
    }
}
