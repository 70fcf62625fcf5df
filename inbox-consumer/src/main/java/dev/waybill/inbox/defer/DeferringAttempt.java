package dev.waybill.inbox.defer;

import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.settings.ConsumerSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that ended with a deferral.
 *
 * @param snapshot what it could see at least, as PostgreSQL writes it
 * @param since when its transaction began, by the database's clock, as PostgreSQL writes it
 * @param fence under which its session was accepted; null if its message does not come by one
 */
public record DeferringAttempt(
        String deferKey,
        @Nullable String snapshot,
        @Nullable String since,
        @Nullable Fence fence,
        Limits limits) {
    String lockTimeout() {
        return limits.lockTimeout().toMillis() + "ms";
    }

    /**
     * How long things may take when a message is deferred.
     *
     * @param lockTimeout to wait for a transaction that resumes the message
     * @param longest an attempt, until it is not known any more what it may have missed
     */
    public record Limits(Duration lockTimeout, Duration longest) {
        /** Those of a consumer of an entity. */
        public static Limits of(ConsumerSettings settings, EntityDescription facts) {
            return new Limits(settings.lockTimeout(facts), settings.longestAttempt());
        }
    }
}
