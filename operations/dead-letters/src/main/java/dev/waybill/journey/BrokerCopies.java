package dev.waybill.journey;

import dev.waybill.journey.JourneyEntry.Clock;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.journey.JourneyEntry.Time;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The copies of messages on the broker, by sequence number, time and entity: each subscription of a topic numbers its own. */
final class BrokerCopies {
    private final Map<String, Map<String, Map<String, Copy>>> known = new LinkedHashMap<>();
    private final Map<String, String> entities = new HashMap<>();

    BrokerCopies(Collection<JourneyRow> rows) {
        rows.stream()
                .filter(row -> row.textOrNull("entity") != null)
                .forEach(row -> entities.put(row.text("place"), row.text("entity")));
        var some = rows.stream().filter(BrokerCopies::isCopy).toList();
        some.stream().filter(this::isLocated).forEach(row -> merge(row, String.valueOf(entityOf(row))));
        some.stream().filter(row -> !isLocated(row)).forEach(row -> {
            Map<String, Copy> same = same(row);
            merge(row, same.size() == 1 ? same.keySet().iterator().next() : row.text("place"));
        });
    }

    private static boolean isCopy(JourneyRow row) {
        return !row.isOfOutbox() && row.time("origin_time") != null && row.number("origin") != null;
    }

    // A hold or a deferral names only its consumer, whose entity other rows may name.
    private boolean isLocated(JourneyRow row) {
        return entityOf(row) != null;
    }

    private @Nullable String entityOf(JourneyRow row) {
        @Nullable String own = row.entity().orElse(null);
        return own == null ? entities.get(row.text("place")) : own;
    }

    private Map<String, Copy> same(JourneyRow row) {
        return known.computeIfAbsent(row.text("message_id"), message -> new LinkedHashMap<>())
                .computeIfAbsent(row.copy(), number -> new LinkedHashMap<>());
    }

    private void merge(JourneyRow row, String where) {
        Instant enqueued = row.required("origin_time");
        same(row).merge(where.toLowerCase(Locale.ROOT), new Copy(row, enqueued, met(row)), Copy::earlier);
    }

    private static Instant met(JourneyRow row) {
        @Nullable Instant since = row.time("since");
        return since == null || since.isAfter(row.at()) ? row.at() : since;
    }

    private Stream<Copy> of(String message) {
        return known.getOrDefault(message, Map.of()).values().stream().flatMap(same -> same.values().stream());
    }

    /** Adds an entry for each copy, after it was sent and before it was received, whatever the broker's clock says. */
    void addTo(TimeLine line) {
        known.keySet().stream().flatMap(this::of).forEach(copy -> {
            Instant order = copy.enqueued;
            Instant sent = line.lastSent(copy.row.text("message_id"), copy.met);
            if (order.isBefore(sent)) {
                order = sent;
            }
            var details = Map.of("sequence number", String.valueOf(copy.row.number("origin")));
            line.add(
                    copy.row.with(
                            Step.ENQUEUED, Confidence.KNOWN, new Time(copy.enqueued, null, Clock.BROKER), details),
                    order.isAfter(copy.met) ? copy.met : order);
        });
    }

    private record Copy(JourneyRow row, Instant enqueued, Instant met) {
        static Copy earlier(Copy one, Copy other) {
            return new Copy(one.row, one.enqueued, one.met.isBefore(other.met) ? one.met : other.met);
        }
    }
}
