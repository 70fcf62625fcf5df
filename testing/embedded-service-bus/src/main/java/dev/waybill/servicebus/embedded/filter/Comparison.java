package dev.waybill.servicebus.embedded.filter;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Comparisons; operands without a value, or of incomparable types, give unknown. */
enum Comparison {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    Truth test(@Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            return Truth.UNKNOWN;
        }
        if (left instanceof String a && right instanceof String b) {
            return Truth.of(holds(a.compareTo(b)));
        }
        if (left instanceof Number a && right instanceof Number b) {
            return numbers(a, b);
        }
        if (left instanceof Instant a && right instanceof Instant b) {
            return Truth.of(holds(a.compareTo(b)));
        }
        if (left instanceof Duration a && right instanceof Duration b) {
            return Truth.of(holds(a.compareTo(b)));
        }
        return unordered(left, right);
    }

    private Truth numbers(Number left, Number right) {
        if (left instanceof Long a && right instanceof Long b) {
            return Truth.of(holds(Long.compare(a, b)));
        }
        if (!Scalar.isKnownType(left) || !Scalar.isKnownType(right)) {
            return Truth.UNKNOWN;
        }
        if (left instanceof Double || right instanceof Double) {
            return Truth.of(holds(left.doubleValue(), right.doubleValue()));
        }
        BigDecimal exactLeft = Decimals.exact(left);
        return Truth.of(holds(exactLeft.compareTo(Decimals.exact(right))));
    }

    /** NaN equals nothing, not even itself; Double.compare differs. */
    private boolean holds(double left, double right) {
        return switch (this) {
            case EQUAL -> left == right;
            case NOT_EQUAL -> left != right;
            case LESS -> left < right;
            case LESS_OR_EQUAL -> left <= right;
            case GREATER -> left > right;
            case GREATER_OR_EQUAL -> left >= right;
        };
    }

    private boolean holds(int sign) {
        return switch (this) {
            case EQUAL -> sign == 0;
            case NOT_EQUAL -> sign != 0;
            case LESS -> sign < 0;
            case LESS_OR_EQUAL -> sign <= 0;
            case GREATER -> sign > 0;
            case GREATER_OR_EQUAL -> sign >= 0;
        };
    }

    private Truth unordered(Object left, Object right) {
        if (this != EQUAL && this != NOT_EQUAL) {
            return Truth.UNKNOWN;
        }
        if (left instanceof byte[] a && right instanceof byte[] b) {
            return Truth.of(Arrays.equals(a, b) == (this == EQUAL));
        }
        boolean comparable = (left instanceof Boolean && right instanceof Boolean)
                || (left instanceof UUID && right instanceof UUID);
        return comparable ? Truth.of(left.equals(right) == (this == EQUAL)) : Truth.UNKNOWN;
    }
}
