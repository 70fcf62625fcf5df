package dev.waybill.message;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits of Service Bus on application properties: 32 KB for one, 64 KB for all, standard ones included (Microsoft's page of Service
 * Bus quotas). Names that differ only in case are one to filters and rules.
 */
final class PropertyRules {
    static final int MOST_BYTES_OF_ONE = 32 * 1024;
    static final int MOST_BYTES = 64 * 1024;

    /** For what the broker and Waybill add: ids, traces, the history of re-drives. */
    static final int RESERVED_BYTES = 2 * 1024;

    private static final int BYTES_PER_PROPERTY = 16;
    private static final int UNPADDED_BYTES = 300;

    private PropertyRules() {}

    static @Nullable String violation(Map<String, Object> properties) {
        var names = new HashMap<String, String>();
        for (Map.Entry<String, Object> property : properties.entrySet()) {
            @Nullable String broken = violation(property.getKey(), property.getValue());
            @Nullable String other = names.put(BrokerNames.key(property.getKey()), property.getKey());
            if (broken != null) {
                return broken;
            }
            if (other != null) {
                return "has the headers '" + other + "' and '" + property.getKey()
                        + "', which Service Bus does not tell apart";
            }
        }
        return null;
    }

    private static @Nullable String violation(String name, Object value) {
        if (name.isBlank()) {
            return "has a header without a name";
        }
        @Nullable String broken = TextRules.violation("name of the header '" + TextRules.shown(name) + "'", name);
        if (broken == null && value instanceof String text) {
            broken = TextRules.violation("header '" + name + "'", text);
        }
        if (broken == null && value instanceof Instant time) {
            broken = TimeRules.violation("header '" + name + "'", time);
        }
        if (broken == null && value instanceof OffsetDateTime time) {
            broken = TimeRules.violation("header '" + name + "'", time.toInstant());
        }
        if (broken == null && value instanceof Duration time) {
            broken = TimeRules.ofDuration("header '" + name + "'", time);
        }
        int bytes = bytes(name) + bytes(value);
        return broken != null || bytes <= MOST_BYTES_OF_ONE
                ? broken
                : "has " + bytes + " bytes in its header '" + name + "'; Service Bus takes " + MOST_BYTES_OF_ONE;
    }

    static @Nullable String ofAll(int bytes) {
        int most = MOST_BYTES - RESERVED_BYTES;
        return bytes <= most
                ? null
                : "has " + bytes + " bytes of headers and other properties; Service Bus takes " + most;
    }

    /** An upper estimate of what properties take on the broker: theirs, the standard ones, and {@link WireContract#PADDING}. */
    static int encodedBytes(Map<String, Object> properties, int standardBytes) {
        int bytes = standardBytes;
        int padding = Math.max(0, standardBytes - UNPADDED_BYTES);
        for (Map.Entry<String, Object> property : properties.entrySet()) {
            int value = bytes(property.getValue());
            bytes += BYTES_PER_PROPERTY + bytes(property.getKey()) + value;
            padding += property.getValue() instanceof String text ? Math.max(0, value - 2 * text.length()) : 0;
        }
        return bytes + padding;
    }

    static int bytes(@Nullable Object value) {
        if (value == null) {
            return 0;
        }
        return value instanceof byte[] bytes ? bytes.length : value.toString().getBytes(StandardCharsets.UTF_8).length;
    }
}
