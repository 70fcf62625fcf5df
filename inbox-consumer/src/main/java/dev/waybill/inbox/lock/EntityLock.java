package dev.waybill.inbox.lock;

import dev.waybill.inbox.InboundMessage;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the locks of an entity last: as was stated, or shorter if its messages show it. Thread-safe.
 *
 * <p>The times that a message tells of its lock are the broker's, so only their differences are used. A message had its
 * lock no earlier than it was enqueued: the lock lasts at most from there to its end.
 */
public final class EntityLock {
    private static final Logger LOG = LoggerFactory.getLogger(EntityLock.class);

    /** No entity locks for less; what seems to be shorter was prolonged late. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Losses alone, which may have other causes, take no more of the stated time than to one part in so many. */
    private static final int LEAST_PART = 12;

    private final String path;
    private final Duration stated;
    private volatile Duration lasts;

    // The clocks of several brokers are not one. Known beforehand, because every message asks.
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

    /**
     * Takes in what a message says.
     *
     * @param age of the lock since it was acquired, prolonged or not, by our clock
     */
    void seen(InboundMessage message, Duration age) {
        message.lockedUntil().ifPresent(until -> {
            Duration left = Duration.between(message.enqueuedAt(), until);
            if (!left.isNegative()) {
                shorten(left.plus(age));
            }
        });
    }

    /** A lock that was not prolonged for that long was found lost, by its end or because the broker failed over. */
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
            LOG.warn("'{}' was stated to lock for {}, and locks for {}", path, stated, sound);
        }
        lasts = sound;
        clearlyShorter = shorterThan(sound);
    }

    private static Duration shorterThan(Duration time) {
        return time.multipliedBy(9).dividedBy(10);
    }
}
