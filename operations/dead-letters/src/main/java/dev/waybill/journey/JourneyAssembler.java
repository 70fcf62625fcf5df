package dev.waybill.journey;

import dev.waybill.journey.Journey.Recorded;
import dev.waybill.journey.JourneyEntry.Clock;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Place;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.journey.JourneyEntry.Time;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Assembles rows of all tables into one time line, each event once. Not thread-safe. */
final class JourneyAssembler {
    private static final String BECAUSE = "because";

    private final JourneyRows rows;
    private final Recorded recorded;
    private final HoldIntervals intervals;
    private final boolean isAuditCut;
    private final Set<String> handled = new HashSet<>();
    private final Set<String> deadLettered = new HashSet<>();
    private final Set<String> appendedIds = new HashSet<>();
    private final Set<String> appends = new HashSet<>();
    private final TimeLine line = new TimeLine();

    JourneyAssembler(JourneyRows rows, JourneyRows.HoldAudit audit, Recorded recorded) {
        this.rows = rows;
        this.recorded = recorded;
        intervals = new HoldIntervals(rows.events(), rows.held(), audit.messages());
        isAuditCut = audit.isCut();
        var copies = new BrokerCopies(rows.ofCopies().toList());
        rows.inbox().handled().forEach(row -> handled.add(consumerAndMessage(row)));
        rows.events().stream()
                .filter(row -> row.text("event").equals("dead-lettered"))
                .forEach(row -> deadLettered.add(letter(row.entity().orElse(""), row)));
        rows.outbox().scheduled().forEach(row -> line.add(row.known(Step.SCHEDULED)));
        rows.outbox().cancelled().forEach(row -> line.add(row.known(Step.CANCELLED)));
        rows.outbox().failovers().forEach(row -> line.add(row.known(Step.FAILOVER)));
        rows.outbox().messages().forEach(this::waits);
        rows.outbox().published().forEach(this::published);
        rows.events().forEach(this::event);
        rows.held().forEach(this::held);
        Stream.of(rows.events(), rows.held(), audit.messages())
                .flatMap(List::stream)
                .filter(JourneyRow::isOfOutbox)
                .forEach(this::appendedBefore);
        rows.inbox().deferred().forEach(this::deferred);
        rows.inbox().handled().stream()
                .filter(row -> !intervals.isSkip(row))
                .forEach(row -> unlessSkipped(row, Step.HANDLED, Map.of()));
        rows.letters().messages().forEach(this::letter);
        rows.letters().audit().forEach(this::decided);
        audit.messages().forEach(this::decidedAboutHold);
        audit.holds().forEach(this::decidedAboutHold);
        copies.addTo(line);
    }

    List<JourneyEntry> entries(List<JourneyRow> erased) {
        forgotten();
        erased.forEach(row -> line.add(row.known(Step.ERASED)));
        return line.entries();
    }

    private void waits(JourneyRow row) {
        isNew(row);
        line.add(row.known(Step.APPENDED));
        line.add(row.with(Step.WAITS, Confidence.KNOWN, now(row), Map.of("for", "the relay")));
    }

    private void published(JourneyRow row) {
        isNew(row);
        line.add(row.known(Step.APPENDED));
        line.add(row.with(
                Step.PUBLISHED, Confidence.KNOWN, Time.of(Objects.requireNonNull(row.time("published_at"))), Map.of()));
    }

    // A message moves from the outbox to its hold, which has the time of the append.
    private void appendedBefore(JourneyRow row) {
        @Nullable Instant at = row.time("origin_time");
        if (at != null && isNew(row)) {
            line.add(row.with(Step.APPENDED, Confidence.KNOWN, Time.of(at), Map.of()));
        }
    }

    // A copy that is re-driven or replayed has the id of its original.
    private boolean isNew(JourneyRow row) {
        appendedIds.add(row.text("message_id"));
        return appends.add(row.time("origin_time") + " " + row.text("message_id"));
    }

    private void event(JourneyRow row) {
        boolean ofHold = row.number("hold_id") != null;
        switch (row.text("event")) {
            case "held" -> line.add(row.known(Step.HELD));
            case "parked" -> line.add(row.known(Step.PARKED));
            case "lost" -> line.add(row.known(Step.ATTEMPT_LOST));
            case "left" -> leftHold(row);
            case "deferred" -> wasDeferred(row);
            case "failed" -> {
                // A deferral ends an attempt, and has an event of its own.
                if (!ofHold || !row.text("reason").equals("Deferred")) {
                    line.add(row.known(ofHold ? Step.TRIED : Step.FAILED));
                }
            }
            case "duplicate" -> line.add(row.known(Step.DUPLICATE));
            case "abandoned" -> line.add(row.known(Step.ABANDONED));
            case "dead-lettered" -> line.add(row.known(Step.DEAD_LETTERED));
            case "dropped" -> line.add(row.known(Step.DROPPED));
            // Of a later version.
            default -> {}
        }
    }

    private void leftHold(JourneyRow row) {
        @Nullable Instant came = row.time("since");
        if (!intervals.isRecorded(row) && came != null) {
            line.add(row.with(Step.HELD, Confidence.KNOWN, Time.of(came), Map.of("reason", "BehindHold")));
        }
        if (intervals.isSkipped(row)) {
            return;
        }
        if (row.isOfOutbox()) {
            unlessSkipped(row, Step.PUBLISHED, Map.of("from", "its hold"));
        } else if (intervals.isMove(row)) {
            line.add(row.with(Step.SET_ASIDE, Confidence.KNOWN, Time.of(row.at()), Map.of()));
        } else if (!handled.contains(consumerAndMessage(row))) {
            var because = Map.of(BECAUSE, "it left its hold; its id was removed since");
            line.add(row.with(Step.HANDLED, Confidence.INFERRED, Time.of(row.at()), because));
        }
    }

    // If decisions are missing, it may have been skipped.
    private void unlessSkipped(JourneyRow row, Step step, Map<String, String> details) {
        var known = isAuditCut ? Map.of(BECAUSE, "no later decision says that it was skipped") : details;
        Confidence confidence = isAuditCut ? Confidence.INFERRED : Confidence.KNOWN;
        line.add(row.with(step, confidence, Time.of(row.at()), known));
    }

    private static String consumerAndMessage(JourneyRow row) {
        return row.text("place") + "\n" + row.text("message_id");
    }

    private static String letter(String entity, JourneyRow row) {
        return entity.toLowerCase(Locale.ROOT) + "\n" + row.text("message_id") + "\n" + row.copy();
    }

    private void wasDeferred(JourneyRow row) {
        @Nullable Instant since = row.time("since");
        @Nullable Instant resumed = row.time("due_at");
        var key = Map.of("key", row.text("reason"));
        line.add(row.with(Step.DEFERRED, Confidence.KNOWN, Time.of(since == null ? row.at() : since), key));
        if (resumed != null) {
            line.add(row.with(Step.RESUMED, Confidence.KNOWN, Time.of(resumed), key));
        }
    }

    private void deferred(JourneyRow row) {
        line.add(row.known(Step.DEFERRED));
        @Nullable Instant resumed = row.time("resume_at");
        if (resumed != null) {
            line.add(row.entry(Step.RESUMED, Confidence.KNOWN, resumed, null));
        }
    }

    private void held(JourneyRow row) {
        if (!intervals.isRecorded(row)) {
            Confidence confidence = row.time("at") == null ? Confidence.INFERRED : Confidence.KNOWN;
            var why = Map.of("reason", row.is("behind") ? "BehindHold" : row.text("reason"));
            line.add(row.with(Step.HELD, confidence, Time.of(row.at()), why));
        }
        var details = new LinkedHashMap<String, String>();
        details.put("for", row.text("state").equals("parked") ? "an operator" : "the next attempt");
        details.putAll(row.details());
        line.add(row.with(Step.WAITS, Confidence.KNOWN, now(row), details));
    }

    private void letter(JourneyRow row) {
        if (!deadLettered.contains(letter(row.text("place"), row))) {
            var details = Map.of("reason", row.text("reason"), BECAUSE, "its dead letter was collected");
            line.add(row.with(Step.DEAD_LETTERED, Confidence.INFERRED, Time.of(row.at()), details));
        }
        line.add(row.known(Step.COLLECTED));
    }

    private void decided(JourneyRow row) {
        @Nullable Step step = switch (row.text("action")) {
            case "redrive" -> Step.REDRIVEN;
            case "edit" -> Step.EDITED;
            case "discard" -> Step.DISCARDED;
            case "release", "reopen" -> Step.REOPENED;
            case "archive" -> Step.ARCHIVED;
            case "restore" -> Step.RESTORED;
            case "redact" -> Step.REDACTED;
            case "expire" -> Step.EXPIRED;
            case "erase" -> Step.ERASED;
            default -> null;
        };
        if (step != null) {
            line.add(row.known(step));
        }
    }

    private void decidedAboutHold(JourneyRow row) {
        switch (row.text("action")) {
            case "edit" -> line.add(row.known(Step.EDITED));
            case "skip" -> line.add(row.known(Step.SKIPPED));
            case "release" -> released(row, Step.RELEASED);
            case "retry" -> released(row, Step.RETRIED);
            default -> {}
        }
    }

    // A decision about a hold concerns the messages that it had.
    private void released(JourneyRow row, Step step) {
        Set<String> there = intervals.messagesIn(row.number("hold_id"), row.at());
        if (there.isEmpty()) {
            return;
        }
        String message = there.size() == 1 ? there.iterator().next() : "";
        var place = new Place(row.text("place"), message, row.textOrNull("session_id"));
        line.add(new JourneyEntry(step, Confidence.KNOWN, Time.of(row.at()), place, row.details(), List.of()));
    }

    private void forgotten() {
        if (line.isEmpty()) {
            return;
        }
        @Nullable Instant since = recorded.since();
        Set<String> appended = new HashSet<>(appendedIds);
        rows.outbox().scheduled().forEach(row -> appended.add(row.text("message_id")));
        rows.outbox().cancelled().forEach(row -> appended.add(row.text("message_id")));
        Set<String> known = line.entries().stream()
                .map(entry -> entry.place().message())
                .filter(id -> !id.isEmpty() && !appended.contains(id))
                .collect(Collectors.toSet());
        // A message without a row in the outbox may be older than the events that are kept.
        if (since != null && (!known.isEmpty() || line.first().isBefore(since))) {
            forgotten(Step.EARLIER, "", "holds, failures, duplicates and deferrals until " + since);
        }
        known.forEach(id -> forgotten(
                Step.APPENDED, id, "the outbox has no row of it: published and not retained, or never appended here"));
    }

    private void forgotten(Step step, String message, String what) {
        line.add(new JourneyEntry(
                step,
                Confidence.FORGOTTEN,
                new Time(null, null, Clock.DATABASE),
                new Place("", message, null),
                Map.of("forgotten", what),
                List.of()));
    }

    private static Time now(JourneyRow row) {
        return Time.of(Objects.requireNonNull(row.time("now")));
    }
}
