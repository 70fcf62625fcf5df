package dev.waybill.inbox.defer;

import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.settings.ConsumerSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

// The snapshot is a lower bound of what the attempt saw. Its transaction began at since, by the database's clock.
public record DeferringAttempt(
        String deferKey,
        @Nullable String snapshot,
        @Nullable String since,
        @Nullable Fence fence,
        Limits limits) {
    String lockTimeout() {
        return limits.lockTimeout().toMillis() + "ms";
    }

    // Resumptions may be deleted that an attempt older than longest has missed.
    public record Limits(Duration lockTimeout, Duration longest) {
        public static Limits of(ConsumerSettings settings, EntityDescription facts) {
            return new Limits(settings.lockTimeout(facts), settings.longestAttempt());
        }
    }
}
