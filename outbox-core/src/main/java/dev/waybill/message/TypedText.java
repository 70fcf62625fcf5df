package dev.waybill.message;

import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Texts of application properties that are neither text, boolean nor long. A text that would become another value has no value. */
final class TypedText {
    static final String DOUBLE = "double";
    static final String TIMESTAMP = "timestamp";
    static final String ID = "uuid";
    static final String INT = "int";
    static final String SHORT = "short";
    static final String BYTE = "byte";
    static final String FLOAT = "float";
    static final String CHAR = "char";
    static final String BINARY = "binary";
    static final String DURATION = "duration";
    static final String LINK = "uri";
    static final String OFFSET_TIME = "offset-time";

    private static final Map<String, Integer> BITS = Map.of("ubyte", 8, "ushort", 16, "uint", 32, "ulong", 64);
    private static final Map<String, Integer> HEX_DIGITS = Map.of("decimal32", 8, "decimal64", 16, "decimal128", 32);

    private TypedText() {}

    /** The value of a text; throws a {@link RuntimeException} for one that the type cannot hold. */
    static Object value(String type, String text) {
        return switch (type) {
            case DOUBLE -> decimal(text, Double.valueOf(text));
            case FLOAT -> decimal(text, Float.valueOf(text));
            case TIMESTAMP -> Instant.parse(text);
            case ID -> id(text);
            case INT -> Integer.valueOf(text);
            case SHORT -> Short.valueOf(text);
            case BYTE -> Byte.valueOf(text);
            case CHAR -> require(text.length() == 1, text.charAt(0));
            case BINARY -> binary(text);
            case DURATION -> Duration.parse(text);
            case LINK -> URI.create(text);
            case OFFSET_TIME -> OffsetDateTime.parse(text);
            default -> foreign(type, text);
        };
    }

    // The decoder ignores the last bits of a text that was cut.
    private static byte[] binary(String text) {
        byte[] bytes = Base64.getDecoder().decode(text);
        return require(Base64.getEncoder().encodeToString(bytes).equals(text), bytes);
    }

    // Java shortens 1-1-1-1-1 and the like to another id.
    private static UUID id(String text) {
        UUID id = UUID.fromString(text);
        return require(id.toString().equalsIgnoreCase(text), id);
    }

    // A number that is too large becomes infinite, and 1f or 0x1p3 are forms of Java.
    private static Number decimal(String text, Number number) {
        boolean decimal = text.matches("[+-]?[0-9.]+([eE][+-]?[0-9]+)?") && Double.isFinite(number.doubleValue());
        return require(decimal || number.toString().equals(text), number);
    }

    private static AmqpValue foreign(String type, String text) {
        @Nullable Integer bits = BITS.get(type);
        if (bits == null) {
            return require(text.matches("[0-9a-fA-F]{" + HEX_DIGITS.get(type) + "}"), new AmqpValue(type, text));
        }
        var number = new BigInteger(text);
        return require(number.signum() >= 0 && number.bitLength() <= bits, new AmqpValue(type, number.toString()));
    }

    private static <T> T require(boolean valid, T value) {
        if (!valid) {
            throw new IllegalArgumentException("Another form");
        }
        return value;
    }
}
