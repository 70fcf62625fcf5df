package dev.waybill.journey;

import dev.waybill.journey.JourneyEntry.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries in order: by the database's clock; where two times are equal, as steps follow each other. Not
 * thread-safe.
 */
final class TimeLine {
    private static final Comparator<Placed> ORDER =
            Comparator.comparing(Placed::order).thenComparing(placed -> placed.entry.step());

    private final List<Placed> placed = new ArrayList<>();

    void add(JourneyEntry entry) {
        add(entry, order(entry));
    }

    void add(JourneyEntry entry, Instant order) {
        placed.add(new Placed(entry, order));
    }

    List<JourneyEntry> entries() {
        return placed.stream()
                .map(this::caused)
                .sorted(ORDER)
                .map(Placed::entry)
                .toList();
    }

    // A consumer may have the next delivery in hand before it hears that the one before was given back.
    private Placed caused(Placed given) {
        if (given.entry.step() != Step.ABANDONED) {
            return given;
        }
        Instant sent = lastSent(given.entry.place().message(), given.order);
        return placed.stream()
                .filter(p -> p.entry.place().equals(given.entry.place()) && p.deliveries() > given.deliveries())
                .map(Placed::order)
                .filter(order -> order.isAfter(sent) && order.isBefore(given.order))
                .min(Instant::compareTo)
                .map(next -> new Placed(given.entry, next.minusNanos(1)))
                .orElse(given);
    }

    boolean isEmpty() {
        return placed.isEmpty();
    }

    /** The time of the first entry that has one by the database's clock. */
    Instant first() {
        return placed.stream()
                .filter(p -> p.entry.time().clock() == Clock.DATABASE
                        && p.entry.time().at() != null)
                .map(Placed::order)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** When a message was sent, or appended, for the last time before that; long ago if that is not known. */
    Instant lastSent(String message, Instant before) {
        return placed.stream()
                .filter(p -> p.entry.step() == Step.APPENDED || p.entry.step() == Step.PUBLISHED)
                .filter(p -> p.entry.place().message().equals(message) && !p.order.isAfter(before))
                .map(Placed::order)
                .max(Instant::compareTo)
                .orElse(Instant.MIN);
    }

    // What is forgotten was before.
    private static Instant order(JourneyEntry entry) {
        @Nullable Instant at = entry.time().at();
        return at == null ? Instant.MIN : at;
    }

    private record Placed(JourneyEntry entry, Instant order) {
        long deliveries() {
            return Long.parseLong(entry.details().getOrDefault("deliveries", "0"));
        }
    }
}
