package dev.waybill.deadletter.edit;

import dev.waybill.deadletter.FieldChange;
import dev.waybill.message.Headers;
import dev.waybill.message.MessageContent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

final class ContentDiff {
    private ContentDiff() {}

    static List<FieldChange> between(MessageContent before, MessageContent after) {
        Map<String, @Nullable String> old = fields(before);
        Map<String, @Nullable String> now = fields(after);
        var names = new TreeSet<>(old.keySet());
        names.addAll(now.keySet());
        var changes = new ArrayList<FieldChange>();
        for (String name : names) {
            if (!Objects.equals(old.get(name), now.get(name))) {
                changes.add(new FieldChange(name, old.get(name), now.get(name)));
            }
        }
        return changes;
    }

    private static Map<String, @Nullable String> fields(MessageContent content) {
        var fields = new TreeMap<String, @Nullable String>();
        fields.put("session", content.sessionId());
        fields.put("partition-key", content.partitionKey());
        fields.put("subject", content.subject());
        fields.put("content-type", content.contentType());
        fields.put("correlation-id", content.correlationId());
        fields.put("to", content.toAddress());
        fields.put("reply-to", content.replyTo());
        fields.put("reply-to-session", content.replyToSessionId());
        fields.put("time-to-live", content.timeToLive() == null ? null : String.valueOf(content.timeToLive()));
        fields.put("body", readable(content.body()));
        content.properties()
                .forEach((name, value) -> fields.put("property:" + name, Headers.write(Map.of(name, value))));
        return fields;
    }

    private static String readable(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            return "0x" + HexFormat.of().formatHex(body);
        }
    }
}
