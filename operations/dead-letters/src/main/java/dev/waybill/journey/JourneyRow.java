package dev.waybill.journey;

import dev.waybill.deadletter.FieldChange;
import dev.waybill.journey.JourneyEntry.Clock;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Place;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.journey.JourneyEntry.Time;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** A row about a message. Statements select the columns that they have, by these names. */
record JourneyRow(Record row) {
    String text(String column) {
        @Nullable String text = textOrNull(column);
        return text == null ? "" : text;
    }

    @Nullable String textOrNull(String column) {
        return value(column, String.class);
    }

    @Nullable Instant time(String column) {
        @Nullable OffsetDateTime time = value(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    Instant required(String column) {
        return Objects.requireNonNull(time(column));
    }

    Instant at() {
        return required("at");
    }

    boolean is(String column) {
        return Boolean.TRUE.equals(value(column, Boolean.class));
    }

    @Nullable Long number(String column) {
        return value(column, Long.class);
    }

    boolean isOfOutbox() {
        return "outbox".equals(textOrNull("side"));
    }

    /** The hold and the place in it; empty without a hold. */
    String holdPlace() {
        return number("hold_id") == null ? "" : number("hold_id") + "/" + number("hold_place");
    }

    String copy() {
        return number("origin") == null ? "" : number("origin") + "@" + time("origin_time");
    }

    /** The queue or subscription of the copy, if the row has it. */
    Optional<String> entity() {
        return Optional.ofNullable("letters".equals(textOrNull("side")) ? textOrNull("place") : textOrNull("entity"));
    }

    Place place() {
        return new Place(text("place"), text("message_id"), textOrNull("session_id"));
    }

    JourneyEntry entry(Step step, Confidence confidence, @Nullable Instant at, @Nullable Instant since) {
        List<FieldChange> changes = step == Step.EDITED ? changes() : List.of();
        return new JourneyEntry(step, confidence, new Time(at, since, Clock.DATABASE), place(), details(), changes);
    }

    JourneyEntry known(Step step) {
        return entry(step, Confidence.KNOWN, time("at"), time("since"));
    }

    JourneyEntry with(Step step, Confidence confidence, Time time, Map<String, String> details) {
        return new JourneyEntry(step, confidence, time, place(), details, List.of());
    }

    /** The details that the statement names, and those of columns that many statements have. */
    Map<String, String> details() {
        var details = new LinkedHashMap<String, String>();
        @Nullable String @Nullable [] named = value("details", String[].class);
        for (int i = 0; named != null && i + 1 < named.length; i += 2) {
            put(details, String.valueOf(named[i]), named[i + 1]);
        }
        for (String column : List.of("operator", "reason", "description")) {
            put(details, column, textOrNull(column));
        }
        @Nullable Long deliveries = number("deliveries");
        put(details, "deliveries", deliveries == null || deliveries == 0 ? null : deliveries.toString());
        @Nullable Instant due = time("due_at");
        put(details, "due", due == null ? null : due.toString());
        @Nullable Long times = number("times");
        put(details, "times", times == null || times == 1 ? null : times.toString());
        return details;
    }

    private static void put(Map<String, String> details, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            details.put(name, value);
        }
    }

    private List<FieldChange> changes() {
        @Nullable String @Nullable [] fields = value("changed", String[].class);
        @Nullable String @Nullable [] before = value("changed_from", String[].class);
        @Nullable String @Nullable [] after = value("changed_to", String[].class);
        var changes = new ArrayList<FieldChange>();
        for (int i = 0; fields != null && before != null && after != null && i < fields.length; i++) {
            changes.add(new FieldChange(String.valueOf(fields[i]), before[i], after[i]));
        }
        return changes;
    }

    private <T> @Nullable T value(String column, Class<T> type) {
        return row.field(column) == null ? null : row.get(column, type);
    }
}
