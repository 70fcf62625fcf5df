package dev.waybill.servicebus.embedded.filter;

import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;

/** Binary arithmetic; an operand without a value gives no value. */
enum Arithmetic {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%");

    /** An action may double a text in every statement; 32 unbounded ones would fill the heap. */
    static final int MAX_TEXT = 65_536;

    private final String symbol;

    Arithmetic(String symbol) {
        this.symbol = symbol;
    }

    String symbol() {
        return symbol;
    }

    @Nullable Object apply(@Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            return null;
        }
        if (left instanceof Number leftNumber && right instanceof Number rightNumber) {
            return numbers(leftNumber, rightNumber);
        }
        if (this == ADD && (left instanceof String || right instanceof String)) {
            return concatenated(left, right);
        }
        return times(left, right);
    }

    private Object numbers(Number left, Number right) {
        if (left instanceof Long a && right instanceof Long b) {
            return longs(a, b);
        }
        requireKnown(left, right);
        if (left instanceof Double || right instanceof Double) {
            return doubles(left.doubleValue(), right.doubleValue());
        }
        return Decimals.apply(this, Decimals.exact(left), Decimals.exact(right));
    }

    private long longs(long left, long right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / divisor(left, right);
            case REMAINDER -> left % divisor(left, right);
        };
    }

    private long divisor(long left, long right) {
        if (right == 0) {
            throw new FilterEvaluationException("Division by zero");
        }
        if (right == -1 && left == Long.MIN_VALUE) {
            throw new FilterEvaluationException("The result of '" + symbol + "' is out of range");
        }
        return right;
    }

    private double doubles(double left, double right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
            case REMAINDER -> left % right;
        };
    }

    private String concatenated(Object left, Object right) {
        if (!Scalar.hasText(left) || !Scalar.hasText(right)) {
            throw noOperator(left, right);
        }
        String head = Scalar.text(left);
        String tail = Scalar.text(right);
        if (head.length() + tail.length() > MAX_TEXT) {
            throw new FilterEvaluationException("Concatenated text is longer than " + MAX_TEXT + " characters");
        }
        return head + tail;
    }

    private Object times(Object left, Object right) {
        try {
            Object result = TimeArithmetic.apply(this, left, right);
            if (result != null) {
                return result;
            }
        } catch (DateTimeException | ArithmeticException e) {
            throw new FilterEvaluationException("The result of '" + symbol + "' is out of range");
        }
        throw noOperator(left, right);
    }

    private void requireKnown(Object left, Object right) {
        if (!Scalar.isKnownType(left) || !Scalar.isKnownType(right)) {
            throw noOperator(left, right);
        }
    }

    private FilterEvaluationException noOperator(Object left, Object right) {
        return new FilterEvaluationException(
                "Operator '" + symbol + "' does not take " + Scalar.typeName(left) + " and " + Scalar.typeName(right));
    }
}
