package dev.waybill.hold;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The end of an attempt: it decides about the messages that the attempt leaves.
 *
 * @param cause what the first of them met; null if it is not to blame
 * @param rest until the next attempt; null to wait for an operator
 */
public record AttemptResult(@Nullable Cause cause, @Nullable Duration rest) {
    /** They are tried after a rest; none of them is to blame, and the attempt does not count. */
    public static AttemptResult interrupted(Duration rest) {
        return new AttemptResult(null, rest);
    }

    /** The first of them failed and is tried again after a rest. */
    public static AttemptResult later(Cause cause, Duration rest) {
        return new AttemptResult(cause, rest);
    }

    /** The first of them failed, and an operator must decide. */
    public static AttemptResult parked(Cause cause) {
        return new AttemptResult(cause, null);
    }

    HoldState state() {
        return rest == null ? HoldState.PARKED : HoldState.RETRYING;
    }
}
