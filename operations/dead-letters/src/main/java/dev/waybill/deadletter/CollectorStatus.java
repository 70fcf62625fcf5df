package dev.waybill.deadletter;

import dev.waybill.hold.Cause;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How collecting from an entity goes.
 *
 * @param alive whether a collector has reported in the last 30 s
 * @param collected letters stored so far
 * @param collectedAt null if none was stored
 * @param behind how long the dead-letter queue has not been empty; zero if it is empty
 * @param failing null if nothing fails
 */
public record CollectorStatus(
        DeadLetterEntity entity,
        boolean alive,
        long collected,
        @Nullable Instant collectedAt,
        Duration behind,
        @Nullable Failing failing) {
    public @Nullable Cause failure() {
        return failing == null ? null : failing.cause();
    }

    /** A failure that lasts: its last cause, and the time of the first one. */
    public record Failing(Cause cause, Instant since) {
        static @Nullable Failing of(@Nullable String reason, @Nullable String description, @Nullable Instant since) {
            return reason == null || since == null
                    ? null
                    : new Failing(new Cause(reason, description == null ? "" : description), since);
        }
    }
}
