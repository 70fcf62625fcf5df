package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The options of a change, from the address; empty texts mean no limit, or all fields. */
record LetterBulkOptions(String way, String target, String canary, String rate, String days, String names) {
    private static final String KEPT = "42";

    static LetterBulkOptions of(Context request) {
        String way = Forms.parameter(request, "way");
        String days = Forms.parameter(request, "days").strip();
        return new LetterBulkOptions(
                way.isEmpty() ? "source" : way,
                Forms.parameter(request, "target").strip(),
                Forms.parameter(request, "canary").strip(),
                Forms.parameter(request, "rate").strip(),
                days.isEmpty() ? KEPT : days,
                Forms.parameter(request, "fields").strip());
    }

    RedriveRequest order() {
        RedriveRequest order = switch (way) {
            case "source" -> RedriveRequest.toSource();
            case "entity" -> RedriveRequest.toEntity(named());
            case "consumer" -> RedriveRequest.toConsumer(named());
            default -> throw new Refusal(400, "A re-drive goes to the source, an entity or a consumer.");
        };
        order = canary.isEmpty() ? order : order.withCanary(number(canary, "The canary"));
        return rate.isEmpty() ? order : order.withRate(number(rate, "The rate"));
    }

    private String named() {
        if (target.isEmpty()) {
            throw new Refusal(400, "Name the " + way + " that the re-drive goes to.");
        }
        return target;
    }

    Duration keep() {
        return Duration.ofDays(number(days, "The time to keep"));
    }

    List<String> fields() {
        List<String> fields = Stream.of(names.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        if (!fields.isEmpty()) {
            try {
                DeadLetterArchive.checkFields(fields);
            } catch (IllegalArgumentException e) {
                throw new Refusal(400, String.valueOf(e.getMessage()));
            }
        }
        return fields;
    }

    private static int number(String text, String what) {
        if (!text.matches("[0-9]{1,6}") || Integer.parseInt(text) == 0) {
            throw new Refusal(400, what + " is a number from 1 to 999999.");
        }
        return Integer.parseInt(text);
    }

    public String query() {
        return "way=" + url(way) + "&target=" + url(target) + "&canary=" + url(canary) + "&rate=" + url(rate) + "&days="
                + url(days) + "&fields=" + url(names);
    }

    private static String url(String text) {
        return Formats.INSTANCE.url(text);
    }
}
