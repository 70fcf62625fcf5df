package dev.waybill.hold;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The result of an attempt: why the first remaining message failed, if so, and the back-off, or null to park the hold. */
public record AttemptResult(@Nullable Cause cause, @Nullable Duration rest) {
    /** The attempt was interrupted and does not count. */
    public static AttemptResult interrupted(Duration rest) {
        return new AttemptResult(null, rest);
    }

    /** The first message failed; the next attempt follows after a back-off. */
    public static AttemptResult later(Cause cause, Duration rest) {
        return new AttemptResult(cause, rest);
    }

    /** The first message failed; the hold waits for an operator. */
    public static AttemptResult parked(Cause cause) {
        return new AttemptResult(cause, null);
    }

    HoldState state() {
        return rest == null ? HoldState.PARKED : HoldState.RETRYING;
    }
}
