package dev.waybill.inbox;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer has in the database.
 *
 * @param atWork whether one of its processes has given a sign of life of late
 * @param ids how many messages it remembers
 * @param oldestId when the first of them was handled; null if there is none
 * @param deferrals how many messages are deferred
 * @param oldestDeferral since when the first of them is; null if there is none
 * @param holds how many sessions and messages are held
 */
public record ConsumerStatus(
        String name,
        boolean atWork,
        long ids,
        @Nullable Instant oldestId,
        long deferrals,
        @Nullable Instant oldestDeferral,
        long holds) {
    static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }
}
