package dev.waybill.journey;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The holds of messages, from when to when, and how they ended. */
final class HoldIntervals {
    /** Inbox ids are retained for longer than this, so the message cannot be handled meanwhile. */
    private static final Duration LONGEST_SKIP = Duration.ofMinutes(10);

    private final Map<Long, List<HoldInterval>> all = new HashMap<>();
    private final Map<String, Instant> leftAt = new HashMap<>();
    private final Set<String> heads = new HashSet<>();
    private final Set<String> skipped = new HashSet<>();
    private final Map<String, List<JourneyRow>> skips = new HashMap<>();
    private final Set<String> openings = new HashSet<>();

    HoldIntervals(List<JourneyRow> events, List<JourneyRow> held, List<JourneyRow> audit) {
        for (JourneyRow row : audit) {
            if (row.text("action").equals("skip")) {
                skipped.add(row.holdPlace());
                skips.computeIfAbsent(row.text("message_id"), message -> new ArrayList<>())
                        .add(row);
            }
        }
        events.forEach(this::event);
        for (JourneyRow row : held) {
            add(new HoldInterval(row, row.at(), null));
        }
    }

    private void add(HoldInterval interval) {
        @Nullable Long hold = interval.row.number("hold_id");
        if (hold != null) {
            all.computeIfAbsent(hold, id -> new ArrayList<>()).add(interval);
        }
    }

    private void event(JourneyRow row) {
        if (row.number("hold_id") == null || row.text("event").equals("deferred")) {
            return;
        }
        switch (row.text("event")) {
            case "held" -> {
                heads.add(row.holdPlace());
                openings.add(row.text("transaction") + row.text("message_id"));
                add(new HoldInterval(row, row.at(), null));
            }
            case "left" -> {
                add(new HoldInterval(row, row.time("since"), row.at()));
                leftAt.put(row.holdPlace(), row.at());
            }
            default -> {}
        }
    }

    /** Whether an event says how the message came into the hold. */
    boolean isRecorded(JourneyRow row) {
        return heads.contains(row.holdPlace());
    }

    boolean isSkipped(JourneyRow left) {
        return skipped.contains(left.holdPlace());
    }

    /** Whether a skip has recorded the id: the skip comes first, and the id soon after. */
    boolean isSkip(JourneyRow handled) {
        return skips.getOrDefault(handled.text("message_id"), List.of()).stream()
                .filter(skip -> !skip.isOfOutbox() && skip.text("place").equals(handled.text("place")))
                .map(JourneyRow::at)
                .anyMatch(at -> !handled.at().isBefore(at) && handled.at().isBefore(at.plus(LONGEST_SKIP)));
    }

    /** Whether the message moved to another hold in the same transaction. */
    boolean isMove(JourneyRow left) {
        return openings.contains(left.text("transaction") + left.text("message_id"));
    }

    Set<String> messagesIn(@Nullable Long hold, Instant at) {
        var there = new HashSet<String>();
        for (HoldInterval interval : hold == null ? List.<HoldInterval>of() : all.getOrDefault(hold, List.of())) {
            if (interval.covers(at) && !isOverBefore(interval, at)) {
                there.add(interval.row.text("message_id"));
            }
        }
        return there;
    }

    // The event of the beginning has no end; another row of the same interval may.
    private boolean isOverBefore(HoldInterval interval, Instant at) {
        @Nullable Instant left = leftAt.get(interval.row.holdPlace());
        return left != null && left.isBefore(at);
    }

    private record HoldInterval(
            JourneyRow row,
            @Nullable Instant came,
            @Nullable Instant left) {
        boolean covers(Instant at) {
            return (came == null || !came.isAfter(at)) && (left == null || !left.isBefore(at));
        }
    }
}
