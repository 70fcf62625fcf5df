package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.CollectorStatus;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.FieldChange;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.standalone.cli.command.ContentEdit;
import dev.waybill.standalone.cli.command.Output;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Dead letters as rows, with the size of each body. */
public final class DeadLetterTables {
    private DeadLetterTables() {}

    public static Map<String, Object> of(DeadLetter letter) {
        var content = letter.content();
        return of(new DeadLetter.Summary(
                letter.id(),
                letter.state(),
                letter.provenance(),
                new DeadLetter.Summary.About(content.messageId(), content.sessionId(), content.subject()),
                content.body().length,
                letter.lifecycle()));
    }

    public static Map<String, Object> of(DeadLetter.Summary letter) {
        return Output.row(
                "id", letter.id(),
                "state", letter.state().name().toLowerCase(Locale.ROOT),
                "entity", letter.provenance().origin().entity().path(),
                "session", Optional.ofNullable(letter.about().sessionId()),
                "message", letter.about().messageId(),
                "subject", Optional.ofNullable(letter.about().subject()),
                "bytes", letter.bytes(),
                "because", Optional.ofNullable(letter.provenance().death().reason()),
                "description", Optional.ofNullable(letter.provenance().death().description()),
                "redrivesBefore", letter.lifecycle().redrives(),
                "emptied",
                        Optional.ofNullable(letter.lifecycle().emptied())
                                .map(why -> why.name().toLowerCase(Locale.ROOT)),
                "collectedAt", letter.lifecycle().collectedAt());
    }

    public static Map<String, Object> of(DeadLetterGroup group, List<DeadLetterGroup.By> by) {
        var row = new LinkedHashMap<String, Object>();
        for (int i = 0; i < by.size(); i++) {
            row.put(
                    by.get(i).name().toLowerCase(Locale.ROOT),
                    Optional.ofNullable(group.key().get(i)));
        }
        row.put("count", group.count());
        row.put("oldestSeconds", group.oldestAge().toSeconds());
        return row;
    }

    /** A change, with the size of a body: a body is shown only if asked. */
    public static Map<String, Object> of(FieldChange change) {
        if (change.field().equals("body")) {
            return ContentEdit.row(change.field(), size(change.before()), size(change.after()));
        }
        return Output.row(
                "field", change.field(),
                "before", Optional.ofNullable(change.before()),
                "after", Optional.ofNullable(change.after()));
    }

    // Bodies that are no text are hexadecimal digits.
    private static String size(@Nullable String body) {
        String text = body == null ? "" : body;
        return ContentEdit.size(
                text.matches("0x[0-9a-f]+") ? text.length() / 2 - 1 : text.getBytes(StandardCharsets.UTF_8).length);
    }

    public static Map<String, Object> of(DeadLetter.AuditEntry entry) {
        return Output.row(
                "at", entry.at(),
                "action", entry.action(),
                "operator", entry.instruction().operator(),
                "reason", entry.instruction().reason());
    }

    public static Map<String, Object> of(RedriveRun run) {
        return Output.row(
                "run", run.id(),
                "state", run.state().name().toLowerCase(Locale.ROOT),
                "messages", run.items(),
                "taken", run.position(),
                "redriven", run.redriven(),
                "operator", run.instruction().operator(),
                "reason", run.instruction().reason());
    }

    public static Map<String, Object> of(CollectorStatus collector) {
        return Output.row(
                "entity", collector.entity().path(),
                "transfer", collector.entity().transfer(),
                "alive", collector.alive(),
                "collected", collector.collected(),
                "lastCollectedAt", Optional.ofNullable(collector.collectedAt()),
                "behindSeconds", collector.behind().toSeconds(),
                "failingSince", Optional.ofNullable(collector.failing()).map(failing -> failing.since()),
                "failure", Optional.ofNullable(collector.failure()).map(cause -> cause.description()));
    }
}
