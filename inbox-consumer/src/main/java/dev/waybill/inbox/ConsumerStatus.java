package dev.waybill.inbox;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The state of a consumer in the database.
 *
 * @param atWork whether one of its processes has given a sign of life of late
 * @param ids the messages it remembers, from when they were handled
 * @param deferrals the messages that are deferred, from when they were
 * @param holds how many sessions and messages are held
 */
public record ConsumerStatus(String name, boolean atWork, Kept ids, Kept deferrals, long holds) {
    /**
     * Rows that are kept.
     *
     * @param count how many there are
     * @param oldest the time of the first of them; null if there is none
     */
    public record Kept(long count, @Nullable Instant oldest) {
        static Kept of(long count, @Nullable OffsetDateTime oldest) {
            return new Kept(count, oldest == null ? null : oldest.toInstant());
        }
    }
}
