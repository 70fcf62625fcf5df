package dev.waybill.standalone.message;

import dev.waybill.message.AmqpValue;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Application properties that a person types. A property keeps its type; a new one is a text. */
public final class PropertyText {
    private static final String OURS = "waybill-";

    private static final Map<String, Integer> BITS = Map.of("ubyte", 8, "ushort", 16, "uint", 32, "ulong", 64);
    private static final Map<String, Integer> HEX_DIGITS = Map.of("decimal32", 8, "decimal64", 16, "decimal128", 32);

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
        if (name.regionMatches(true, 0, OURS, 0, OURS.length())) {
            throw new IllegalArgumentException(
                    "Property '" + name + "': names that begin with " + OURS + " are Waybill's own");
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

    private static Object parsed(Object old, String text) {
        if (old instanceof Number number) {
            return number(number, text);
        }
        if (old instanceof Boolean) {
            return same(Boolean.valueOf(text), text);
        }
        if (old instanceof UUID) {
            UUID id = UUID.fromString(text);
            return require(id.toString().equalsIgnoreCase(text), id);
        }
        if (old instanceof Character) {
            return require(text.length() == 1, text.charAt(0));
        }
        if (old instanceof byte[]) {
            return Base64.getDecoder().decode(text);
        }
        if (old instanceof AmqpValue foreign) {
            return foreign(foreign.type(), text);
        }
        return time(old, text);
    }

    private static Object number(Number old, String text) {
        if (old instanceof Long) {
            return Long.valueOf(text);
        }
        if (old instanceof Integer) {
            return Integer.valueOf(text);
        }
        if (old instanceof Short) {
            return Short.valueOf(text);
        }
        if (old instanceof Byte) {
            return Byte.valueOf(text);
        }
        // A number that is too large becomes infinite, and 1f or 0x1p3 are forms of Java.
        Number number = old instanceof Float ? (Number) Float.valueOf(text) : (Number) Double.valueOf(text);
        boolean decimal = text.matches("[+-]?[0-9.]+([eE][+-]?[0-9]+)?") && Double.isFinite(number.doubleValue());
        return require(decimal || number.toString().equals(text), number);
    }

    private static Object time(Object old, String text) {
        if (old instanceof Instant) {
            return OffsetDateTime.parse(text).toInstant();
        }
        if (old instanceof OffsetDateTime) {
            return OffsetDateTime.parse(text);
        }
        if (old instanceof Duration) {
            return Duration.parse(text);
        }
        if (old instanceof URI) {
            return URI.create(text);
        }
        throw new IllegalArgumentException("No text");
    }

    private static AmqpValue foreign(String type, String text) {
        @Nullable Integer bits = BITS.get(type);
        if (bits == null) {
            return require(text.matches("[0-9a-fA-F]{" + HEX_DIGITS.get(type) + "}"), new AmqpValue(type, text));
        }
        var number = new BigInteger(text);
        return require(number.signum() >= 0 && number.bitLength() <= bits, new AmqpValue(type, number.toString()));
    }

    private static <T> T same(T value, String text) {
        return require(value.toString().equals(text), value);
    }

    private static <T> T require(boolean valid, T value) {
        if (!valid) {
            throw new IllegalArgumentException("Another form");
        }
        return value;
    }
}
