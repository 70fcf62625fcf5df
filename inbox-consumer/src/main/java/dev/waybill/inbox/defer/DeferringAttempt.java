package dev.waybill.inbox.defer;

import dev.waybill.inbox.lock.Fence;
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
        DeferralLimits limits) {
    String lockTimeout() {
        return limits.lockTimeout().toMillis() + "ms";
    }
}
