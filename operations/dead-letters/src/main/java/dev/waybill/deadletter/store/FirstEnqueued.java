package dev.waybill.deadletter.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a message was first enqueued: its place in its session. Old copies have only the time. */
public record FirstEnqueued(Instant enqueuedAt, @Nullable Long sequenceNumber) {
    private static final JsonFactory JSON = new JsonFactory();

    /** From the properties of a re-driven message; null for others. */
    static @Nullable FirstEnqueued of(MessageContent content) {
        @Nullable String headers = content.headers();
        if (headers == null
                || (!headers.contains(WireContract.FIRST_ENQUEUED)
                        && !headers.contains(WireContract.REDRIVE_HISTORY))) {
            return null;
        }
        Map<String, Object> properties = content.properties();
        @Nullable FirstEnqueued recorded = properties.get(WireContract.FIRST_ENQUEUED) instanceof String text ? read(text) : null;
        return recorded == null && properties.get(WireContract.REDRIVE_HISTORY) instanceof String history
                ? firstOf(history)
                : recorded;
    }

    public String text() {
        return enqueuedAt + " " + (sequenceNumber == null ? 0 : sequenceNumber);
    }

    // Another system may have written it.
    private static @Nullable FirstEnqueued read(String text) {
        int space = text.indexOf(' ');
        try {
            return space < 0
                    ? null
                    : new FirstEnqueued(time(text.substring(0, space)), Long.valueOf(text.substring(space + 1)));
        } catch (DateTimeException | NumberFormatException e) {
            return null;
        }
    }

    // Copies of older versions have only the times of their last five deaths.
    private static @Nullable FirstEnqueued firstOf(String history) {
        try (JsonParser json = JSON.createParser(history)) {
            if (json.nextToken() != JsonToken.START_ARRAY || json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = json.currentName().equals("enqueued");
                if (json.nextToken() == JsonToken.VALUE_STRING && found) {
                    return new FirstEnqueued(time(json.getText()), null);
                }
                json.skipChildren();
            }
            return null;
        } catch (IOException | DateTimeException e) {
            return null;
        }
    }

    private static Instant time(String text) {
        Instant time = Instant.parse(text);
        if (!StorableValues.isOnCalendar(time)) {
            throw new DateTimeException("No calendar has " + text);
        }
        return time;
    }
}
