package dev.waybill.deadletter.monitor;

import dev.waybill.deadletter.CollectorStatus;
import dev.waybill.deadletter.CollectorStatus.Failing;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.DeadLetterQueue;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.monitor.AlertSink.Alert.Kind;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BackOff;
import dev.waybill.supervision.KeepAlive;
import dev.waybill.supervision.StopSignal;
import dev.waybill.supervision.SupervisedLoop;
import dev.waybill.supervision.Traces;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the tables and raises alerts: how many letters are open, how old they are, how fast they arrive, and which entities have
 * no collector. Known entities are those that were collected from, destinations of relays, and queues to watch. Needs the grants
 * of {@code Role.READONLY}. Used by one thread.
 */
public final class DeadLetterMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterMonitor.class);
    private static final int PEEKED = 1_000;
    private static final Duration LONGEST_LAST_CHECK = Duration.ofSeconds(10);

    private final DeadLetters deadLetters;
    private final DSLContext dsl;
    private final SchemaName schema;
    private final Thresholds thresholds;
    private final List<AlertSink> sinks;
    private final Collection<? extends DeadLetterQueue> watched;
    private final InstantSource clock;
    private final Traces traces = new Traces();
    private final Map<String, Instant> raised = new HashMap<>();
    private Set<List<String>> known = Set.of();

    private DeadLetterMonitor(
            DataSource dataSource,
            SchemaName schema,
            Thresholds thresholds,
            List<AlertSink> sinks,
            Collection<? extends DeadLetterQueue> watched,
            InstantSource clock) {
        dsl = schema.in(AutoCommitConnections.using(dataSource));
        this.schema = schema;
        deadLetters = DeadLetters.in(dataSource, schema);
        this.thresholds = thresholds;
        this.sinks = List.copyOf(sinks);
        this.watched = List.copyOf(watched);
        this.clock = clock;
    }

    /** A monitor that also peeks at the watched queues without a collector. */
    public static DeadLetterMonitor of(
            DataSource dataSource,
            SchemaName schema,
            Thresholds thresholds,
            List<AlertSink> sinks,
            Collection<? extends DeadLetterQueue> watched) {
        return of(dataSource, schema, thresholds, sinks, watched, InstantSource.system());
    }

    static DeadLetterMonitor of(
            DataSource dataSource,
            SchemaName schema,
            Thresholds thresholds,
            List<AlertSink> sinks,
            Collection<? extends DeadLetterQueue> watched,
            InstantSource clock) {
        return new DeadLetterMonitor(dataSource, schema, thresholds, sinks, watched, clock);
    }

    /** Checks at intervals on a thread of its own, until the result is closed. Failures are logged. A sink may close it. */
    public AutoCloseable start(Duration every) {
        var signal = new StopSignal();
        SupervisedLoop.Turn turn = () -> {
            check();
            return every;
        };
        var loop = new SupervisedLoop("waybill-dead-letter-monitor", turn, new BackOff(every, every), signal);
        loop.start();
        var alive = KeepAlive.start("waybill-dead-letter-monitor-alive");
        return () -> {
            try (alive) {
                signal.stop();
                if (!loop.isCurrent()) {
                    loop.interrupt();
                    loop.join(LONGEST_LAST_CHECK);
                }
            }
        };
    }

    public void check() {
        Instant now = clock.instant();
        raised.values().removeIf(last -> !isQuiet(last, now));
        readDepths();
        readArrivals();
        readCollectors();
    }

    // An alert stays quiet only while the clock is after its last time: the clock may be set back.
    private boolean isQuiet(Instant last, Instant now) {
        return !now.isBefore(last) && now.isBefore(last.plus(thresholds.quiet()));
    }

    /** Raises a summary, whatever the quiet time; for the scheduler of an application. */
    public void summarise() {
        List<DeadLetterGroup> groups = groups(DeadLetterFilter.open());
        long open = groups.stream().mapToLong(DeadLetterGroup::count).sum();
        long quarantined = deadLetters.count(DeadLetterFilter.everything().in(DeadLetter.State.QUARANTINED));
        String text = open + " dead letters are open, " + quarantined + " quarantined"
                + groups.stream()
                        .map(group ->
                                "\n  " + group.count() + "  " + group.key().get(0) + "  "
                                        + group.key().get(1) + ", the oldest here for " + group.longestHere())
                        .collect(Collectors.joining());
        notifySinks(sink -> sink.raise(new AlertSink.Alert(Kind.SUMMARY, "", null, (double) open, text)));
    }

    private void readDepths() {
        Set<List<String>> seen = new HashSet<>();
        for (DeadLetterGroup group : groups(DeadLetterFilter.open())) {
            String entity = String.valueOf(group.key().get(0));
            String reason = String.valueOf(group.key().get(1));
            seen.add(List.of(entity, reason));
            notifySinks(sink -> sink.observed(entity, reason, group.count(), group.longestHere()));
            if (group.count() >= thresholds.depth()) {
                raise(new AlertSink.Alert(
                        Kind.DEPTH,
                        entity,
                        reason,
                        (double) group.count(),
                        group.count() + " dead letters of " + entity + " are open: " + reason));
            }
            if (group.longestHere().compareTo(thresholds.age()) >= 0) {
                raise(new AlertSink.Alert(
                        Kind.AGE,
                        entity,
                        reason,
                        (double) group.longestHere().toSeconds(),
                        "A dead letter of " + entity + " has been open for " + group.longestHere() + ": " + reason));
            }
        }
        known.stream()
                .filter(key -> !seen.contains(key))
                .forEach(key -> notifySinks(sink -> sink.observed(key.get(0), key.get(1), 0, Duration.ZERO)));
        known = seen;
    }

    private void readArrivals() {
        for (DeadLetterGroup group : groups(DeadLetterFilter.everything().collectedWithin(Duration.ofMinutes(1)))) {
            if (group.count() >= thresholds.arrivals()) {
                String entity = String.valueOf(group.key().get(0));
                raise(new AlertSink.Alert(
                        Kind.ARRIVALS,
                        entity,
                        group.key().get(1),
                        (double) group.count(),
                        group.count() + " dead letters of " + entity + " came in the last minute: "
                                + group.key().get(1)));
            }
        }
    }

    private void readCollectors() {
        Set<String> collected = new HashSet<>();
        Set<String> destinations = new HashSet<>();
        Set<String> missing = new TreeSet<>();
        for (CollectorStatus status : deadLetters.collectors()) {
            String name = status.entity().toString();
            if (status.alive()) {
                collected.add(name);
            } else {
                missing.add(name);
            }
            destinations.add(status.entity().destination());
            @Nullable Failing failing = status.failing();
            if (failing != null) {
                raise(new AlertSink.Alert(
                        Kind.FAILING,
                        name,
                        failing.cause().reason(),
                        (double) Duration.between(failing.since(), clock.instant())
                                .toSeconds(),
                        "Collecting from " + name + " fails since " + failing.since() + ": "
                                + failing.cause().reason() + ", "
                                + failing.cause().description()));
            }
        }
        dsl.fetch("select destination from " + schema.table("outbox_destination")).intoSet(0, String.class).stream()
                .filter(destination -> !destinations.contains(destination))
                .forEach(missing::add);
        missing.forEach(entity -> uncollected(entity, -1, "No collector runs for the dead letters of " + entity));
        for (DeadLetterQueue queue : watched) {
            String name = queue.entity().toString();
            if (!collected.contains(name)) {
                peek(queue, name);
            }
        }
    }

    private void peek(DeadLetterQueue queue, String name) {
        try {
            DeadLetterQueue.Depth waiting = queue.peek(PEEKED);
            uncollected(
                    name,
                    waiting.count(),
                    "No collector runs for " + name + ", where " + waiting.count() + " wait, the oldest enqueued at "
                            + waiting.oldest());
        } catch (RuntimeException e) {
            uncollected(name, -1, "No collector runs for " + name + ", and peeking failed: " + e.getMessage());
        }
    }

    private void uncollected(String entity, int waiting, String text) {
        raise(new AlertSink.Alert(Kind.UNCOLLECTED, entity, null, waiting, text));
    }

    private List<DeadLetterGroup> groups(DeadLetterFilter filter) {
        return deadLetters.groups(filter, DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON);
    }

    private void raise(AlertSink.Alert alert) {
        String key = alert.kind() + "\n" + alert.entity() + "\n" + alert.reason();
        Instant now = clock.instant();
        Instant last = raised.get(key);
        if (last == null || !isQuiet(last, now)) {
            raised.put(key, now);
            notifySinks(sink -> sink.raise(alert));
        }
    }

    private void notifySinks(Consumer<AlertSink> notification) {
        for (AlertSink sink : sinks) {
            try {
                notification.accept(sink);
            } catch (Throwable e) {
                traces.warn(LOG, "An alert sink failed", e);
            }
        }
    }

    /**
     * When alerts are raised.
     *
     * @param depth open letters of an entity and reason
     * @param age time since a letter was collected
     * @param arrivals letters of an entity and reason in a minute
     * @param quiet how long the same alert is not repeated
     */
    public record Thresholds(long depth, Duration age, long arrivals, Duration quiet) {
        /** 1 letter, a day, 10 letters a minute; the same alert once an hour. */
        public static final Thresholds DEFAULT = new Thresholds(1, Duration.ofDays(1), 10, Duration.ofHours(1));
    }
}
