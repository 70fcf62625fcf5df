package dev.waybill.servicebus.embedded.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reduces the Java types of property values to those of the operators. */
final class Scalar {

    private static final double WHOLE_NUMBERS_BELOW = 1e15;

    private Scalar() {}

    /**
     * A Long, Double, BigDecimal, String, Boolean, UUID, Instant, Duration or {@code byte[]}; null for null; any other value unchanged,
     * which no operator accepts.
     */
    static @Nullable Object of(@Nullable Object value) {
        if (value == null || value instanceof String || value instanceof Long) {
            return value;
        }
        if (value instanceof Number number) {
            return number(number);
        }
        if (value instanceof CharSequence || value instanceof Character) {
            return value.toString();
        }
        if (value instanceof Date date) {
            return date.toInstant();
        }
        if (value instanceof OffsetDateTime dateTime) {
            return dateTime.toInstant();
        }
        return value;
    }

    private static Object number(Number number) {
        if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return number.longValue();
        }
        if (number instanceof Double || number instanceof Float) {
            return number.doubleValue();
        }
        if (number instanceof BigDecimal decimal) {
            return Decimals.of(decimal);
        }
        return written(number);
    }

    /** Wire libraries have their own number types, especially unsigned ones; only their digits are common. */
    private static Object written(Number number) {
        try {
            BigInteger integer = new BigInteger(number.toString());
            return integer.bitLength() < Long.SIZE ? integer.longValue() : Decimals.of(new BigDecimal(integer));
        } catch (NumberFormatException e) {
            return number;
        }
    }

    static boolean isKnownType(Object scalar) {
        return scalar instanceof Long
                || scalar instanceof Double
                || scalar instanceof BigDecimal
                || scalar instanceof Instant
                || scalar instanceof Duration
                || scalar instanceof byte[]
                || hasTextOfItsOwn(scalar);
    }

    static boolean hasText(Object scalar) {
        return isKnownType(scalar) && !(scalar instanceof byte[]);
    }

    private static boolean hasTextOfItsOwn(Object scalar) {
        return scalar instanceof String || scalar instanceof Boolean || scalar instanceof UUID;
    }

    static String text(Object scalar) {
        if (scalar instanceof Boolean truth) {
            return truth ? "True" : "False";
        }
        if (scalar instanceof Double number) {
            return number == Math.rint(number) && Math.abs(number) < WHOLE_NUMBERS_BELOW
                    ? Long.toString(number.longValue())
                    : number.toString();
        }
        if (scalar instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        }
        return scalar.toString();
    }

    static String typeName(Object scalar) {
        if (scalar instanceof String) {
            return "text";
        }
        if (scalar instanceof Long) {
            return "an integer";
        }
        if (scalar instanceof Double || scalar instanceof BigDecimal) {
            return "a number";
        }
        if (scalar instanceof Instant) {
            return "a date and time";
        }
        if (scalar instanceof Duration) {
            return "a duration";
        }
        return otherTypeName(scalar);
    }

    private static String otherTypeName(Object scalar) {
        if (scalar instanceof Boolean) {
            return "a boolean";
        }
        if (scalar instanceof UUID) {
            return "a unique id";
        }
        return scalar instanceof byte[]
                ? "binary"
                : "a value of type " + scalar.getClass().getSimpleName();
    }
}
