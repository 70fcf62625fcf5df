package dev.waybill.servicebus.embedded.filter;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

final class Signs {

    private Signs() {}

    static @Nullable Object signed(boolean negative, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (!takesSign(value)) {
            throw new FilterEvaluationException("A sign cannot precede " + Scalar.typeName(value));
        }
        return negative ? negated(value) : value;
    }

    private static boolean takesSign(Object value) {
        return value instanceof Long
                || value instanceof Double
                || value instanceof BigDecimal
                || value instanceof Duration;
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
        return negated((Duration) value);
    }

    private static Duration negated(Duration duration) {
        try {
            return duration.negated();
        } catch (ArithmeticException e) {
            throw new FilterEvaluationException("The result of '-' is out of range");
        }
    }
}
