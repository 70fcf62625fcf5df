package dev.waybill.standalone.cli.hold;

import dev.waybill.hold.AuditEntry;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.message.MessageContent;
import dev.waybill.standalone.cli.command.Output;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Holds as rows, with the size of each body. */
final class HoldRows {
    private HoldRows() {}

    static Map<String, Object> of(Hold hold) {
        return Output.row(
                "id", hold.id(),
                "scope", hold.key().scope(),
                "session", Optional.ofNullable(hold.key().session()),
                "message", Optional.ofNullable(hold.key().message()),
                "state", hold.state().name().toLowerCase(java.util.Locale.ROOT),
                "messages", hold.messages(),
                "attempts", hold.attempts(),
                "running", hold.attemptRunning(),
                "heldAt", hold.heldAt(),
                "dueAt", hold.dueAt(),
                "reason", hold.cause().reason(),
                "description", hold.cause().description());
    }

    static Map<String, Object> of(HeldMessage message) {
        MessageContent content = message.content();
        return Output.row(
                "place", message.place(),
                "id", content.messageId(),
                "subject", Optional.ofNullable(content.subject()),
                "contentType", Optional.ofNullable(content.contentType()),
                "bytes", content.body().length,
                "properties", properties(content),
                "since", message.origin().time(),
                "deliveries", message.origin().deliveries());
    }

    static Map<String, Object> of(AuditEntry entry) {
        return Output.row(
                "at", entry.at(),
                "action", entry.action(),
                "operator", entry.instruction().operator(),
                "reason", entry.instruction().reason(),
                "databaseUser", entry.databaseUser());
    }

    private static Map<String, String> properties(MessageContent content) {
        var texts = new LinkedHashMap<String, String>();
        content.properties().forEach((name, value) -> texts.put(name, String.valueOf(value)));
        return texts;
    }
}
