package dev.waybill.servicebus.embedded.filter;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

final class TimeArithmetic {

    private TimeArithmetic() {}

    /** Null if the operator does not apply. */
    static @Nullable Object apply(Arithmetic operator, Object left, Object right) {
        return switch (operator) {
            case ADD -> sum(left, right);
            case SUBTRACT -> difference(left, right);
            case MULTIPLY, DIVIDE, REMAINDER -> null;
        };
    }

    private static @Nullable Object sum(Object left, Object right) {
        if (!(right instanceof Duration more)) {
            return null;
        }
        if (left instanceof Instant moment) {
            return moment.plus(more);
        }
        return left instanceof Duration duration ? duration.plus(more) : null;
    }

    private static @Nullable Object difference(Object left, Object right) {
        if (left instanceof Instant later && right instanceof Instant earlier) {
            return Duration.between(earlier, later);
        }
        if (!(right instanceof Duration less)) {
            return null;
        }
        if (left instanceof Instant moment) {
            return moment.minus(less);
        }
        return left instanceof Duration duration ? duration.minus(less) : null;
    }
}
