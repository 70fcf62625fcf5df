package dev.waybill.journey;

import dev.waybill.journey.JourneyEntry.Clock;
import dev.waybill.journey.JourneyEntry.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The copies of messages on the broker, each known by its sequence number and its time there. */
final class Copies {
    /** By how much the broker's clock may go behind the database's. */
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(5);

    private final Map<String, Copy> known = new LinkedHashMap<>();

    /** Rows of the database's clock that tell of a copy. */
    void add(List<Trail> rows) {
        for (Trail row : rows) {
            @Nullable Instant enqueued = row.time("origin_time");
            if (!row.isOfOutbox() && enqueued != null && row.number("origin") != null) {
                known.merge(row.text("message_id") + row.copy(), new Copy(row, enqueued, met(row)), Copy::earlier);
            }
        }
    }

    private static Instant met(Trail row) {
        @Nullable Instant since = row.time("since");
        return since == null || since.isAfter(row.at()) ? row.at() : since;
    }

    /**
     * When a consumer or a collector has met a copy of the message for the first time after that, of those that may
     * have been sent after that.
     */
    @Nullable Instant firstMet(String message, Instant after) {
        return known.values().stream()
                .filter(copy -> copy.row.text("message_id").equals(message) && copy.met.isAfter(after))
                .filter(copy -> !copy.enqueued.isBefore(after.minus(CLOCKS_DIFFER)))
                .map(Copy::met)
                .min(Instant::compareTo)
                .orElse(null);
    }

    /** Whether a consumer or a collector has met a copy of the message by then. */
    boolean wasMet(String message, Instant by) {
        return known.values().stream()
                .anyMatch(copy -> copy.row.text("message_id").equals(message) && !copy.met.isAfter(by));
    }

    /** One entry for each, not after anybody has met it, nor before it was sent, whatever the broker's clock says. */
    void tell(TimeLine line) {
        for (Copy copy : known.values()) {
            Instant order = copy.enqueued;
            Instant sent = line.lastSent(copy.row.text("message_id"), copy.met);
            if (order.isBefore(sent)) {
                order = sent;
            }
            var details = Map.of("sequence number", String.valueOf(copy.row.number("origin")));
            line.add(
                    copy.row.with(Step.ENQUEUED, Certainty.KNOWN, new Time(copy.enqueued, null, Clock.BROKER), details),
                    order.isAfter(copy.met) ? copy.met : order);
        }
    }

    private record Copy(Trail row, Instant enqueued, Instant met) {
        static Copy earlier(Copy one, Copy other) {
            return new Copy(one.row, one.enqueued, one.met.isBefore(other.met) ? one.met : other.met);
        }
    }
}
