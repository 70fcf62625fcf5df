package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.FieldChange;
import dev.waybill.journey.JourneyEntry;
import dev.waybill.journey.JourneyEntry.Clock;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.message.TraceTexts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event of a trace with a tone (ok, warn, bad or none), and the address of the stored body if the person may read it. */
record TraceLine(JourneyEntry entry, String step, String tone, List<Detail> details, String body) {
    /** Stack traces are available as JSON from the command line. */
    private static final int LONGEST = 300;

    record Detail(String name, String text) {}

    static TraceLine of(JourneyEntry entry, boolean mayRead, ContentMask mask) {
        return new TraceLine(
                entry,
                TraceTexts.name(entry.step()),
                tone(entry.step()),
                details(entry, mayRead, mask),
                mayRead ? body(entry) : "");
    }

    /** The confidence, unless a row proves the event. */
    public String confidence() {
        return entry.confidence() == Confidence.KNOWN ? "" : TraceTexts.name(entry.confidence());
    }

    /** Whether the broker's clock set the time. */
    public boolean byBroker() {
        return entry.time().clock() == Clock.BROKER;
    }

    private static List<Detail> details(JourneyEntry entry, boolean mayRead, ContentMask mask) {
        var details = new ArrayList<Detail>();
        entry.changes().stream()
                .map(mask::shown)
                .forEach(change -> details.add(new Detail(
                        change.field(), change.field().equals("body") && !mayRead ? "not shown" : text(change))));
        entry.details()
                .forEach((name, text) ->
                        details.add(new Detail(name, mask.hides(name) ? ContentMask.HIDDEN : firstLine(text))));
        return details;
    }

    private static String text(FieldChange change) {
        return shown(change.before()) + " → " + shown(change.after());
    }

    private static String shown(@Nullable String value) {
        return value == null ? "none" : firstLine(value);
    }

    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }

    private static String body(JourneyEntry entry) {
        @Nullable String letter = entry.details().get("dead letter");
        if (entry.step() == Step.COLLECTED && letter != null) {
            return "letter=" + Formats.INSTANCE.url(letter);
        }
        boolean held = entry.step() == Step.HELD || entry.step() == Step.PARKED;
        @Nullable String session = entry.place().session();
        return held
                ? "scope=" + Formats.INSTANCE.url(entry.place().name()) + "&message="
                        + Formats.INSTANCE.url(entry.place().message())
                        + (session == null ? "" : "&session=" + Formats.INSTANCE.url(session))
                : "";
    }

    private static String tone(Step step) {
        return switch (step) {
            case PUBLISHED, ENQUEUED, HANDLED, RELEASED, RESUMED, REDRIVEN, RESTORED -> "ok";
            case HELD,
                    TRIED,
                    ABANDONED,
                    DEFERRED,
                    SET_ASIDE,
                    DUPLICATE,
                    RETRIED,
                    EDITED,
                    REOPENED,
                    SKIPPED,
                    DISCARDED,
                    WAITS -> "warn";
            case FAILED, PARKED, ATTEMPT_LOST, DEAD_LETTERED, DROPPED, COLLECTED, ERASED, REDACTED -> "bad";
            default -> "none";
        };
    }
}
