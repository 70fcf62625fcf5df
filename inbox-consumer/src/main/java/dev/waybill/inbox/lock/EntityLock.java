package dev.waybill.inbox.lock;

import dev.waybill.inbox.InboundMessage;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actual lock duration of an entity: as stated, or shorter if messages prove it. A lock lasts at most from the message's enqueue
 * time to the lock's end, both by the broker's clock. Thread-safe.
 */
public final class EntityLock {
    private static final Logger LOG = LoggerFactory.getLogger(EntityLock.class);

    /** No entity has a shorter lock; a shorter value comes from a late renewal. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Lost locks may have other causes, so they reduce the stated duration to no less than this fraction. */
    private static final int LEAST_PART = 12;

    private final String path;
    private final Duration stated;
    private volatile Duration lasts;

    // Ten per cent tolerance, because brokers' clocks differ. Precomputed, because every message reads it.
    private volatile Duration clearlyShorter;

    public EntityLock(String path, Duration stated) {
        this.path = path;
        this.stated = stated;
        lasts = stated;
        clearlyShorter = shorterThan(stated);
    }

    Duration lasts() {
        return lasts;
    }

    /** The age is the time since the lock was acquired, renewed or not, by our clock. */
    void seen(InboundMessage message, Duration age) {
        message.lockedUntil().ifPresent(until -> {
            Duration left = Duration.between(message.enqueuedAt(), until);
            if (!left.isNegative()) {
                shorten(left.plus(age));
            }
        });
    }

    /** A lock was lost this long after its last renewal, because it ended or the broker failed over. */
    void lostAfter(Duration time) {
        Duration half = time.dividedBy(2);
        Duration least = stated.dividedBy(LEAST_PART);
        shorten(half.compareTo(least) < 0 ? least : half);
    }

    private void shorten(Duration most) {
        Duration sound = most.compareTo(SHORTEST) < 0 ? SHORTEST : most;
        if (sound.compareTo(clearlyShorter) >= 0) {
            return;
        }
        if (lasts.equals(stated)) {
            LOG.warn(
                    "'{}' is configured with locks of {}, but its locks last {}; correct the lock duration",
                    path,
                    stated,
                    sound);
        }
        lasts = sound;
        clearlyShorter = shorterThan(sound);
    }

    private static Duration shorterThan(Duration time) {
        return time.multipliedBy(9).dividedBy(10);
    }
}
