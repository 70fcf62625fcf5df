package dev.waybill.servicebus.embedded.filter;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Keeps a property's numeric type when SET computes in a wider one without losing digits. */
final class NumberConversion {

    private NumberConversion() {}

    static @Nullable Object toTypeOf(@Nullable Object existing, @Nullable Object value) {
        if (!(existing instanceof Number type) || !(value instanceof Number number) || !isFinite(number)) {
            return value;
        }
        Object scalar = Scalar.of(number);
        if (!(scalar instanceof Number known) || !Scalar.isKnownType(known)) {
            return value;
        }
        BigDecimal exact = known instanceof Double real ? new BigDecimal(real) : Decimals.exact(known);
        Number converted = converted(type, exact);
        return converted == null ? value : converted;
    }

    private static boolean isFinite(Number number) {
        return Double.isFinite(number.doubleValue());
    }

    private static @Nullable Number converted(Number type, BigDecimal exact) {
        if (type instanceof Float) {
            return sameValue(exact.floatValue(), exact) ? (Number) exact.floatValue() : null;
        }
        if (type instanceof Double) {
            return sameValue(exact.doubleValue(), exact) ? (Number) exact.doubleValue() : null;
        }
        if (type instanceof BigDecimal) {
            return Decimals.of(exact) instanceof BigDecimal same && same.compareTo(exact) == 0 ? same : null;
        }
        return integer(type, exact);
    }

    private static boolean sameValue(double converted, BigDecimal exact) {
        return Double.isFinite(converted) && new BigDecimal(converted).compareTo(exact) == 0;
    }

    private static @Nullable Number integer(Number type, BigDecimal exact) {
        try {
            if (type instanceof Integer) {
                return exact.intValueExact();
            }
            if (type instanceof Long) {
                return exact.longValueExact();
            }
            if (type instanceof Short) {
                return exact.shortValueExact();
            }
            return type instanceof Byte ? exact.byteValueExact() : null;
        } catch (ArithmeticException e) {
            return null;
        }
    }
}
