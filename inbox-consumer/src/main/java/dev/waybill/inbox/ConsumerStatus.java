package dev.waybill.inbox;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's state in the database.
 *
 * @param atWork whether one of its processes has sent a recent heartbeat
 * @param ids the recorded message ids, by the time of handling
 * @param deferrals the deferred messages, by the time of deferral
 * @param holds how many sessions and messages are held
 */
public record ConsumerStatus(String name, boolean atWork, Kept ids, Kept deferrals, long holds) {
    /** A number of rows, and the time of the oldest; null if there is none. */
    public record Kept(long count, @Nullable Instant oldest) {
        static Kept of(long count, @Nullable OffsetDateTime oldest) {
            return new Kept(count, oldest == null ? null : oldest.toInstant());
        }
    }
}
