package dev.waybill.servicebus.embedded.filter;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Limits decimals to the broker's 96 bits and 28 places, so that no operation becomes expensive. */
final class Decimals {

    private static final int PLACES = 28;
    private static final BigDecimal LARGEST = new BigDecimal("79228162514264337593543950335");
    private static final MathContext QUOTIENT = new MathContext(29, RoundingMode.HALF_EVEN);

    private Decimals() {}

    static Object of(BigDecimal value) {
        long integerDigits = (long) value.precision() - value.scale();
        if (integerDigits > LARGEST.precision()) {
            return value.doubleValue();
        }
        if (integerDigits < -PLACES) {
            return BigDecimal.ZERO;
        }
        BigDecimal rounded = rounded(value);
        return isTooLarge(rounded) ? (Object) value.doubleValue() : rounded;
    }

    static BigDecimal exact(Number number) {
        return number instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(number.longValue());
    }

    static BigDecimal apply(Arithmetic operator, BigDecimal left, BigDecimal right) {
        BigDecimal result = rounded(
                switch (operator) {
                    case ADD -> left.add(right);
                    case SUBTRACT -> left.subtract(right);
                    case MULTIPLY -> left.multiply(right);
                    case DIVIDE -> left.divide(divisor(right), QUOTIENT);
                    case REMAINDER -> left.remainder(divisor(right));
                });
        if (isTooLarge(result)) {
            throw new FilterEvaluationException("The result of '" + operator.symbol() + "' is out of range");
        }
        return result;
    }

    private static BigDecimal divisor(BigDecimal right) {
        if (right.signum() == 0) {
            throw new FilterEvaluationException("Division by zero");
        }
        return right;
    }

    private static BigDecimal rounded(BigDecimal value) {
        return value.scale() > PLACES ? value.setScale(PLACES, RoundingMode.HALF_EVEN) : value;
    }

    private static boolean isTooLarge(BigDecimal value) {
        return value.abs().compareTo(LARGEST) > 0;
    }
}
