package dev.waybill.standalone.metrics;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.supervision.RootCause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Measures the batches of one outbox and their outcomes. Thread-safe. */
public final class SendMetrics implements Publisher {
    private static final long SAMPLE_NANOS = Duration.ofMillis(200).toNanos();

    /** A relay retries within a minute. An older failure says nothing about the broker now. */
    private static final long STILL_TRIED_NANOS = Duration.ofSeconds(90).toNanos();

    /** A relay waits for 5 s at most before it tries again. */
    private static final Duration RECENT = Duration.ofSeconds(8);

    private final Publisher publisher;
    private final MeterRegistry registry;
    private final String database;
    private final LongSupplier nanos;
    private final Map<String, Failing> failing = new ConcurrentHashMap<>();
    private final Map<String, Long> sampledAt = new ConcurrentHashMap<>();

    public SendMetrics(Publisher publisher, MeterRegistry registry, String database) {
        this(publisher, registry, database, System::nanoTime);
    }

    SendMetrics(Publisher publisher, MeterRegistry registry, String database, LongSupplier nanos) {
        this.nanos = nanos;
        this.publisher = publisher;
        this.registry = registry;
        this.database = database;
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        long began = nanos.getAsLong();
        return publisher.publish(shipment).whenComplete((result, thrown) -> {
            timer(shipment.destination()).record(nanos.getAsLong() - began, TimeUnit.NANOSECONDS);
            if (result != null) {
                see(shipment, result);
            }
        });
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

    /** The longest time without any answer for a destination. */
    public Duration silence() {
        long now = nanos.getAsLong();
        return failing.values().stream()
                .filter(each -> now - each.last() < STILL_TRIED_NANOS)
                .map(each -> Duration.ofNanos(now - each.since()))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** The last failure of the destination that is silent for longest; empty without one. */
    public Optional<String> cause() {
        return failing.values().stream()
                .filter(each -> nanos.getAsLong() - each.last() < STILL_TRIED_NANOS)
                .min(Comparator.comparingLong(Failing::since))
                .filter(each -> !each.cause().isEmpty())
                .map(each -> each.cause() + age(Duration.ofNanos(nanos.getAsLong() - each.last())));
    }

    // A send that waits since then may fail for another reason.
    private static String age(Duration since) {
        return since.compareTo(RECENT) < 0 ? "" : " (" + since.toSeconds() + " s ago, and no answer since then)";
    }

    private void see(Shipment shipment, PublishResult result) {
        String destination = shipment.destination();
        if (result.accepted() > 0) {
            counter(destination, "accepted").increment(result.accepted());
            sample(destination, shipment.rows().get(result.accepted() - 1));
        }
        Outcome outcome = result.outcome();
        if (outcome != Outcome.ACCEPTED) {
            counter(destination, outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .increment(
                            outcome == Outcome.MESSAGE_REFUSED
                                    ? 1
                                    : shipment.rows().size() - result.accepted());
        }
        boolean away = outcome == Outcome.UNAVAILABLE || outcome == Outcome.UNEXPLAINED;
        if (away && result.accepted() == 0) {
            long now = nanos.getAsLong();
            String cause = result.failure() == null ? "" : RootCause.of(result.failure());
            failing.merge(
                    destination,
                    new Failing(now, now, cause),
                    (before, after) -> new Failing(before.since(), now, cause));
        } else {
            failing.remove(destination);
        }
    }

    private Counter counter(String destination, String outcome) {
        return Counter.builder("waybill.outbox.publish")
                .description("Messages that were sent, by what the broker said")
                .baseUnit("messages")
                .tags("database", database, "destination", destination, "outcome", outcome)
                .register(registry);
    }

    private Timer timer(String destination) {
        return Timer.builder("waybill.outbox.publish.duration")
                .description("From handing messages of a lane to the broker until it has answered for all of them")
                .tags("database", database, "destination", destination)
                .serviceLevelObjectives(HistogramBounds.ALL)
                .register(registry);
    }

    private void sample(String destination, OutboxRow row) {
        long now = nanos.getAsLong();
        @Nullable Long last = sampledAt.get(destination);
        if (last != null && now - last < SAMPLE_NANOS) {
            return;
        }
        sampledAt.put(destination, now);
        row.appendedNanos()
                .ifPresent(appended -> age(destination).record(Math.max(0, now - appended), TimeUnit.NANOSECONDS));
    }

    private Timer age(String destination) {
        return Timer.builder("waybill.outbox.commit.to.ack")
                .description("From the append of a message to the broker's acknowledgement; of a sample of messages")
                .tags("database", database, "destination", destination)
                .serviceLevelObjectives(HistogramBounds.ALL)
                .register(registry);
    }

    private record Failing(long since, long last, String cause) {}
}
