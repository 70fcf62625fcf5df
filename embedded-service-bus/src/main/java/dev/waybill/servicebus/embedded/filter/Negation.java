package dev.waybill.servicebus.embedded.filter;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The unary operators plus and minus. */
final class Negation {

    private Negation() {}

    static @Nullable Object signed(boolean negative, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        Object negated = negated(value);
        return negative ? negated : value;
    }

    private static Object negated(Object value) {
        if (value instanceof Long number) {
            return -number;
        }
        if (value instanceof Double number) {
            return -number;
        }
        if (value instanceof BigDecimal number) {
            return number.negate();
        }
        if (value instanceof Duration duration) {
            return negatedDuration(duration);
        }
        throw new FilterEvaluationException("A sign cannot precede " + Scalar.typeName(value));
    }

    private static Duration negatedDuration(Duration duration) {
        try {
            return duration.negated();
        } catch (ArithmeticException e) {
            throw new FilterEvaluationException("The result of '-' is out of range");
        }
    }
}
