package dev.waybill.inbox;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One dead-lettering of a message, and its re-drive.
 *
 * @param entity the entity whose dead-letter queue had the message
 * @param enqueuedAt when that entity had received the message
 * @param deliveries delivery count at that entity
 * @param redrivenAt when the message was sent again
 */
public record DeadLetterRecord(String entity, String reason, Instant enqueuedAt, long deliveries, Instant redrivenAt) {
    private static final JsonFactory JSON = new JsonFactory();

    /** An unreadable entry ends the list: the history must not fail the message. */
    static List<DeadLetterRecord> read(String json) {
        var history = new ArrayList<DeadLetterRecord>();
        try {
            members(json).forEach(entry -> history.add(of(entry)));
        } catch (IOException | DateTimeException e) {
            return List.copyOf(history);
        }
        return List.copyOf(history);
    }

    private static List<Map<String, Object>> members(String text) throws IOException {
        var entries = new ArrayList<Map<String, Object>>();
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                return entries;
            }
            for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                if (next == JsonToken.START_OBJECT) {
                    entries.add(members(json));
                } else {
                    json.skipChildren();
                }
            }
        }
        return entries;
    }

    private static Map<String, Object> members(JsonParser json) throws IOException {
        var members = new HashMap<String, Object>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            members.put(name, value == JsonToken.VALUE_NUMBER_INT ? (Object) json.getLongValue() : json.getText());
            json.skipChildren();
        }
        return members;
    }

    private static DeadLetterRecord of(Map<String, Object> death) {
        return new DeadLetterRecord(
                String.valueOf(death.get("entity")),
                String.valueOf(death.get("reason")),
                Instant.parse(String.valueOf(death.get("enqueued"))),
                death.get("deliveries") instanceof Long count ? count : 0,
                Instant.parse(String.valueOf(death.get("redriven"))));
    }
}
