package dev.waybill.standalone.message;

import dev.waybill.message.AmqpValue;
import dev.waybill.message.Headers;
import dev.waybill.message.WireContract;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Application properties that a person types. A property keeps its type; a new one is a text. */
public final class PropertyText {
    private PropertyText() {}

    /**
     * The properties with the typed ones.
     *
     * @throws IllegalArgumentException naming a property that is Waybill's own, that differs from another one only in case, or
     *     whose text is no value of its type
     */
    public static Map<String, Object> with(Map<String, Object> old, Map<String, String> typed) {
        var all = new LinkedHashMap<>(old);
        typed.forEach((name, text) -> {
            requireName(name, all);
            all.put(name, like(name, all.get(name), text));
        });
        return all;
    }

    private static void requireName(String name, Map<String, Object> all) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A property needs a name");
        }
        if (WireContract.isReserved(name)) {
            throw new IllegalArgumentException("Property '" + name + "': names that begin with "
                    + WireContract.RESERVED_PREFIX + " are Waybill's own");
        }
        all.keySet().stream()
                .filter(other -> other.equalsIgnoreCase(name) && !other.equals(name) && !all.containsKey(name))
                .findFirst()
                .ifPresent(other -> {
                    throw new IllegalArgumentException("Property '" + name + "': the message has '" + other
                            + "', which is the same name to Service Bus; change that one");
                });
    }

    private static Object like(String name, @Nullable Object old, String text) {
        if (old == null || old instanceof String) {
            return text;
        }
        try {
            return parsed(old, text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("Property '" + name + "' is of the type " + type(old) + ", and '" + text
                    + "' is no value of it; the present one is '" + shown(old) + "'");
        }
    }

    /** The name of a value's type, for messages. */
    public static String type(Object value) {
        if (value instanceof AmqpValue foreign) {
            return foreign.type();
        }
        return value instanceof byte[] ? "binary (Base64)" : value.getClass().getSimpleName();
    }

    private static String shown(Object value) {
        return value instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : value.toString();
    }

    // A time with an offset is the same instant.
    private static Object parsed(Object old, String text) {
        return old instanceof Instant ? OffsetDateTime.parse(text).toInstant() : Headers.like(old, text);
    }
}
