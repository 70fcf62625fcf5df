package dev.waybill.standalone.message;

import dev.waybill.journey.Journey;
import dev.waybill.journey.Journey.Part;
import dev.waybill.journey.Journey.Recorded;
import java.util.Locale;
import java.util.stream.Collectors;

public final class TraceTexts {
    private TraceTexts() {}

    /** The truncated parts of a trace; empty if it is complete. */
    public static String leftOut(Journey journey) {
        return journey.leftOut().stream().sorted().map(TraceTexts::words).collect(Collectors.joining(", "));
    }

    private static String words(Part part) {
        return switch (part) {
            case MESSAGES -> "messages";
            case OUTBOX_ROWS -> "rows of the outbox";
            case CONSUMERS -> "messages that were handled or deferred";
            case DEAD_LETTERS -> "dead letters and decisions about them";
            case EVENTS -> "events";
            case HOLDS -> "held messages and decisions about holds";
            case ENTRIES -> "entries";
        };
    }

    /** Why events are missing; empty if they are recorded. */
    public static String recorded(Recorded.State state) {
        return switch (state) {
            case RECORDED -> "";
            case NOT_RECORDED ->
                "Refusals, failures, duplicates and deferrals are not recorded: the feature 'events' is not"
                        + " installed. 'waybill-relay migrate up events' installs it.";
            case NOT_READABLE ->
                "Refusals, failures, duplicates and deferrals are not shown: this role may not read the table"
                        + " message_event. Give it the grants of the role 'readonly' once more.";
        };
    }

    public static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
