package dev.waybill.standalone.cli;

import dev.waybill.deadletter.FieldChange;
import dev.waybill.journey.Journey;
import dev.waybill.journey.JourneyEntry;
import dev.waybill.journey.JourneyEntry.Clock;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cli.deadletter.DeadLetterTables;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Traces as table rows or JSON. */
final class TraceRows {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Stack traces are in the JSON. */
    private static final int LONGEST_DETAIL = 120;

    private TraceRows() {}

    static Map<String, Object> json(Journey journey) {
        return Output.row(
                "sought",
                TraceCommand.sought(journey.term()),
                "recorded",
                name(journey.record().state()),
                "forgottenBefore",
                Optional.ofNullable(journey.record().since()),
                "cut",
                journey.cut(),
                "leftOut",
                journey.leftOut().stream().sorted().map(TraceRows::name).toList(),
                "entries",
                journey.entries().stream().map(TraceRows::json).toList());
    }

    private static Map<String, Object> json(JourneyEntry entry) {
        return Output.row(
                "at", Optional.ofNullable(entry.time().at()),
                "since", Optional.ofNullable(entry.time().since()),
                "clock", name(entry.time().clock()),
                "step", name(entry.step()),
                "confidence", name(entry.confidence()),
                "place", entry.place().name(),
                "message", entry.place().message(),
                "session", Optional.ofNullable(entry.place().session()),
                "details", entry.details(),
                "changes", entry.changes().stream().map(DeadLetterTables::of).toList());
    }

    static List<Map<String, Object>> table(Journey journey) {
        boolean one = journey.entries().stream()
                        .map(entry -> entry.place().message())
                        .filter(id -> !id.isEmpty())
                        .distinct()
                        .count()
                <= 1;
        return journey.entries().stream().map(entry -> row(entry, one)).toList();
    }

    private static Map<String, Object> row(JourneyEntry entry, boolean one) {
        var row = new LinkedHashMap<String, Object>();
        row.put("time (UTC)", time(entry.time().at()));
        if (!one) {
            row.put("message", entry.place().message());
        }
        row.put("what", name(entry.step()));
        row.put("where", entry.place().name());
        row.put("known", entry.confidence() == Confidence.KNOWN ? "" : name(entry.confidence()));
        row.put("details", details(entry));
        return row;
    }

    private static String details(JourneyEntry entry) {
        var texts = new ArrayList<String>();
        if (entry.time().clock() == Clock.BROKER) {
            texts.add("by the broker's clock");
        }
        if (entry.time().since() != null) {
            texts.add("since " + time(entry.time().since()));
        }
        entry.changes().forEach(change -> texts.add(text(change)));
        entry.details().forEach((name, value) -> {
            if (!name.equals("description")) {
                texts.add(name + " " + value);
            }
        });
        @Nullable String description = entry.details().get("description");
        if (description != null) {
            texts.add(firstLine(description));
        }
        return String.join(", ", texts);
    }

    private static String text(FieldChange change) {
        Map<String, Object> row = DeadLetterTables.of(change);
        return change.field() + ": " + shown(row.get("before")) + " -> " + shown(row.get("after"));
    }

    private static String shown(@Nullable Object value) {
        Object text = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        return text == null ? "none" : firstLine(text.toString());
    }

    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= LONGEST_DETAIL ? line : line.substring(0, LONGEST_DETAIL) + "...";
    }

    private static String time(@Nullable Instant at) {
        return at == null ? "" : TIME.format(at);
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
