package dev.waybill.standalone.metrics;

import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.database.Alarm;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.Status;
import dev.waybill.standalone.metrics.Sends.Sample;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The gauges of one outbox: what the database said last. Fed by one thread, read by any. */
public final class OutboxMeters {
    private final MeterRegistry registry;
    private final String database;
    private final MultiGauge pending;
    private final MultiGauge oldest;
    private final MultiGauge heldSessions;
    private final MultiGauge heldMessages;
    private final MultiGauge alarms;
    private final MultiGauge deadLetters;
    private final MultiGauge oldestDeadLetter;
    private volatile double liveRelays = Double.NaN;
    private volatile double working = Double.NaN;
    private volatile double scheduled = Double.NaN;

    /** Registers the meters of a database. */
    public OutboxMeters(MeterRegistry registry, String database) {
        this.registry = registry;
        this.database = database;
        pending = rows("waybill.outbox.pending", "messages", "Messages that wait to be published");
        oldest = rows("waybill.outbox.oldest.pending.age", "seconds", "How long the oldest of them has waited");
        heldSessions = rows("waybill.outbox.held.sessions", "holds", "Sessions and single messages on hold");
        heldMessages = rows("waybill.outbox.held.messages", "messages", "Messages on hold");
        alarms = rows("waybill.outbox.alarm", "alarms", "1 for each alarm that the database raises");
        deadLetters = rows("waybill.dlq.depth", "messages", "Open dead letters that were collected");
        oldestDeadLetter = rows("waybill.dlq.oldest.age", "seconds", "How long ago the oldest of them was enqueued");
        gauge(
                "waybill.outbox.relays.alive",
                "Relays that have said so in time; 0 means that no relay is working",
                m -> m.liveRelays);
        gauge(
                "waybill.outbox.relay.working",
                "1 if every bucket has a living owner, 0 if messages stand still",
                m -> m.working);
        gauge("waybill.outbox.scheduled", "Messages that wait for their time", m -> m.scheduled);
    }

    /** Shows the state of the database now. */
    public void show(Status status) {
        liveRelays = status.liveRelays();
        working = status.isWorking() ? 1 : 0;
        scheduled = status.scheduled();
        register(pending, status, DestinationView::pending);
        register(oldest, status, DestinationView::oldestAgeSeconds);
        register(heldSessions, status, view -> view.held().sessions());
        register(heldMessages, status, view -> view.held().messages());
        alarms.register(status.alarms().stream().map(this::alarm).toList(), true);
    }

    /** Open dead letters by entity. */
    public void showDeadLetters(List<DeadLetterGroup> groups) {
        deadLetters.register(
                groups.stream().map(group -> row(group, group.count())).toList(), true);
        oldestDeadLetter.register(
                groups.stream()
                        .map(group -> row(group, group.oldestAge().toSeconds()))
                        .toList(),
                true);
    }

    private static MultiGauge.Row<Number> row(DeadLetterGroup group, long value) {
        return MultiGauge.Row.of(Tags.of("entity", String.valueOf(group.key().get(0))), value);
    }

    /** The database does not answer: better no figure than an old one. */
    public void hide() {
        liveRelays = Double.NaN;
        working = Double.NaN;
        scheduled = Double.NaN;
        List.of(pending, oldest, heldSessions, heldMessages, alarms, deadLetters, oldestDeadLetter)
                .forEach(gauge -> gauge.register(List.of(), true));
    }

    /** Times from append to acknowledgement, of the messages that were sampled since the last call. */
    public void time(Sends sends, DSLContext dsl, SchemaName schema) {
        var byDestination = new HashMap<String, Map<Long, Long>>();
        for (Sample sample : sends.takeSamples()) {
            byDestination
                    .computeIfAbsent(sample.destination(), name -> new HashMap<>())
                    .put(sample.seq(), sample.acknowledgedNanos());
        }
        byDestination.forEach((destination, acknowledged) -> {
            var rows = dsl.fetch(
                    AGES.formatted(schema),
                    val(destination),
                    val(acknowledged.keySet().toArray(Long[]::new)));
            long now = System.nanoTime();
            rows.forEach(row -> {
                @Nullable Long at = acknowledged.get(row.get("seq", Long.class));
                if (at != null) {
                    long age = row.get("age_micros", Long.class) * 1_000;
                    timer(destination).record(Duration.ofNanos(Math.max(0, age - (now - at))));
                }
            });
        });
    }

    private Timer timer(String destination) {
        return Timer.builder("waybill.outbox.commit.to.ack")
                .description("From the append of a message to the broker's acknowledgement; of a sample of messages")
                .tags("database", database, "destination", destination)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(1))
                .register(registry);
    }

    private MultiGauge rows(String name, String unit, String description) {
        return MultiGauge.builder(name)
                .tag("database", database)
                .baseUnit(unit)
                .description(description)
                .register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<OutboxMeters> value) {
        Gauge.builder(name, this, value)
                .description(description)
                .tag("database", database)
                .strongReference(true)
                .register(registry);
    }

    private static void register(MultiGauge gauge, Status status, ToDoubleFunction<DestinationView> value) {
        gauge.register(
                status.destinations().stream()
                        .map(view -> MultiGauge.Row.of(Tags.of("destination", view.name()), value.applyAsDouble(view)))
                        .toList(),
                true);
    }

    private MultiGauge.Row<Number> alarm(Alarm alarm) {
        return MultiGauge.Row.of(
                Tags.of(
                        "alarm", alarm.name(),
                        "severity", alarm.severity(),
                        "destination", alarm.destination().orElse("")),
                1);
    }

    private static final String AGES = """
            select seq, (extract(epoch from clock_timestamp() - created_at) * 1000000)::bigint as age_micros
            from %1$s.outbox_message
            where destination = {0} and %1$s.outbox_bucket(session_id, message_id) between 0 and 31 and seq = any({1})
            """;
}
