package dev.waybill.deadletter;

import dev.waybill.hold.Cause;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How collecting from an entity goes.
 *
 * @param alive whether somebody is collecting there
 * @param collected how many have been stored, ever
 * @param collectedAt when the last was stored; null if none was
 * @param behind since when there has not been a moment without dead letters on the broker; zero if there is
 *     nothing to collect
 * @param failing what goes wrong; null if nothing does
 */
public record CollectorStatus(
        DeadLetterEntity entity,
        boolean alive,
        long collected,
        @Nullable Instant collectedAt,
        Duration behind,
        @Nullable Failing failing) {
    /** The failure that lasts; null if there is none. */
    public @Nullable Cause failure() {
        return failing == null ? null : failing.cause();
    }

    /** Since when collecting fails, and the last cause. */
    public record Failing(Cause cause, Instant since) {
        static @Nullable Failing of(@Nullable String reason, @Nullable String description, @Nullable Instant since) {
            return reason == null || since == null
                    ? null
                    : new Failing(new Cause(reason, description == null ? "" : description), since);
        }
    }
}
