package dev.waybill.journey;

import dev.waybill.journey.JourneyEntry.Clock;
import dev.waybill.journey.JourneyEntry.Place;
import dev.waybill.journey.JourneyEntry.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Entries by the database's clock; at equal times in the order of the steps. Not thread-safe. */
final class TimeLine {
    private static final Comparator<Placed> ORDER =
            Comparator.comparing(Placed::order).thenComparing(placed -> placed.entry.step());

    private static final Set<Step> SENDS = EnumSet.of(Step.APPENDED, Step.FAILOVER, Step.PUBLISHED);

    private static final Set<Step> ARRIVED = EnumSet.of(
            Step.ENQUEUED,
            Step.FAILED,
            Step.ABANDONED,
            Step.HANDLED,
            Step.DUPLICATE,
            Step.DEFERRED,
            Step.DEAD_LETTERED,
            Step.DROPPED);

    private final List<Placed> placed = new ArrayList<>();
    private final Map<String, TreeSet<Instant>> sentTimes = new HashMap<>();

    void add(JourneyEntry entry) {
        add(entry, order(entry));
    }

    void add(JourneyEntry entry, Instant order) {
        placed.add(new Placed(entry, order));
        if (entry.step() == Step.APPENDED || entry.step() == Step.PUBLISHED) {
            sentTimes
                    .computeIfAbsent(entry.place().message(), message -> new TreeSet<>())
                    .add(order);
        }
    }

    List<JourneyEntry> entries() {
        settleInTime();
        Map<Sent, NavigableMap<Long, Instant>> deliveries = firstWithMore();
        return placed.stream()
                .map(p -> caused(p, deliveries))
                .sorted(ORDER)
                .map(Placed::entry)
                .toList();
    }

    // The relay records a publish after the broker has accepted the message, which may have been handled by then.
    private void settleInTime() {
        Map<String, List<Placed>> byMessage = placed.stream()
                .collect(Collectors.groupingBy(p -> p.entry.place().message()));
        Map<MessageAt, Instant> movedFrom = new HashMap<>();
        placed.replaceAll(p -> {
            if (p.entry.step() != Step.PUBLISHED) {
                return p;
            }
            Instant moved = whenSent(p, byMessage.getOrDefault(p.entry.place().message(), List.of()));
            if (moved.equals(p.order)) {
                return p;
            }
            TreeSet<Instant> times = sentTimes.getOrDefault(p.entry.place().message(), new TreeSet<>());
            times.remove(p.order);
            times.add(moved);
            movedFrom.put(new MessageAt(p.entry.place().message(), p.order), moved);
            return new Placed(p.entry, moved);
        });
        // An arrival on the broker that was put at the time of its publish goes with it.
        placed.replaceAll(p -> p.entry.step() == Step.ENQUEUED
                ? new Placed(
                        p.entry,
                        movedFrom.getOrDefault(new MessageAt(p.entry.place().message(), p.order), p.order))
                : p);
    }

    private static Instant whenSent(Placed sent, List<Placed> same) {
        @Nullable Placed before = same.stream()
                .filter(p -> SENDS.contains(p.entry.step()))
                .filter(p -> !p.order.isAfter(sent.order) && !p.equals(sent))
                .filter(p -> p.entry.place().equals(sent.entry.place()))
                .max(ORDER)
                .orElse(null);
        if (before == null || before.entry.step() != Step.APPENDED) {
            return sent.order;
        }
        return same.stream()
                .filter(p -> ARRIVED.contains(p.entry.step()))
                .map(Placed::order)
                .filter(at -> !at.isBefore(before.order) && !at.isAfter(sent.order))
                .min(Instant::compareTo)
                .map(at -> at.equals(before.order) ? at : at.minusNanos(1))
                .orElse(sent.order);
    }

    // A consumer may have the next delivery before it learns that the one before was abandoned.
    private Placed caused(Placed given, Map<Sent, NavigableMap<Long, Instant>> deliveries) {
        if (given.entry.step() != Step.ABANDONED) {
            return given;
        }
        var later = deliveries.getOrDefault(sent(given), new TreeMap<>()).higherEntry(given.deliveries());
        return later != null && later.getValue().isBefore(given.order)
                ? new Placed(given.entry, later.getValue().minusNanos(1))
                : given;
    }

    // When a place first received a message with so many deliveries or more, since it was sent last.
    private Map<Sent, NavigableMap<Long, Instant>> firstWithMore() {
        var first = new HashMap<Sent, NavigableMap<Long, Instant>>();
        for (Placed p : placed) {
            Sent sent = sent(p);
            if (p.deliveries() > 0 && p.order.isAfter(sent.at)) {
                first.computeIfAbsent(sent, s -> new TreeMap<>()).merge(p.deliveries(), p.order, TimeLine::earlier);
            }
        }
        first.values().forEach(byNumber -> {
            Instant soFar = Instant.MAX;
            for (Map.Entry<Long, Instant> one : byNumber.descendingMap().entrySet()) {
                soFar = earlier(soFar, one.getValue());
                one.setValue(soFar);
            }
        });
        return first;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    boolean isEmpty() {
        return placed.isEmpty();
    }

    Instant first() {
        return placed.stream()
                .filter(p -> p.entry.time().clock() == Clock.DATABASE
                        && p.entry.time().at() != null)
                .map(Placed::order)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** When a message was last sent or appended before a time; {@link Instant#MIN} if that is unknown. */
    Instant lastSent(String message, Instant before) {
        @Nullable TreeSet<Instant> times = sentTimes.get(message);
        @Nullable Instant last = times == null ? null : times.floor(before);
        return last == null ? Instant.MIN : last;
    }

    private Sent sent(Placed p) {
        return new Sent(p.entry.place(), lastSent(p.entry.place().message(), p.order));
    }

    // An unknown time comes first.
    private static Instant order(JourneyEntry entry) {
        @Nullable Instant at = entry.time().at();
        return at == null ? Instant.MIN : at;
    }

    private record MessageAt(String message, Instant at) {}

    private record Sent(Place place, Instant at) {}

    private record Placed(JourneyEntry entry, Instant order) {
        long deliveries() {
            return Long.parseLong(entry.details().getOrDefault("deliveries", "0"));
        }
    }
}
