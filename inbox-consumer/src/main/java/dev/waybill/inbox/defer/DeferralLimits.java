package dev.waybill.inbox.defer;

import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.settings.ConsumerSettings;
import java.time.Duration;

/**
 * How long things may take when a message is deferred.
 *
 * @param lockTimeout to wait for a transaction that resumes the message
 * @param longest an attempt, until it is not known any more what it may have missed
 */
public record DeferralLimits(Duration lockTimeout, Duration longest) {
    /** Those of a consumer of an entity. */
    public static DeferralLimits of(ConsumerSettings settings, EntityDescription facts) {
        return new DeferralLimits(settings.lockTimeout(facts), settings.longestAttempt());
    }
}
