package dev.waybill.relay.loop;

import java.time.Duration;

/**
 * When a destination is polled next: at once after a poll with rows or a wake-up, else after a pause that doubles up to the
 * longest. Confined to the loop's thread.
 */
final class PollSchedule {
    private final long shortest;
    private final long longest;
    private long pause;
    private long dueAt;

    PollSchedule(Duration shortest, Duration longest, long now) {
        this.longest = longest.toNanos();
        this.shortest = Math.max(1_000_000, Math.min(shortest.toNanos(), this.longest));
        pause = this.shortest;
        dueAt = now;
    }

    boolean isDue(long now) {
        return dueAt - now <= 0;
    }

    long dueIn(long now) {
        return Math.max(0, dueAt - now);
    }

    /** Whether to poll it together with another destination, so that their polls stay together. */
    boolean isNearlyDue(long now) {
        return dueIn(now) <= pause / 2;
    }

    void wake(long now) {
        pause = shortest;
        dueAt = now;
    }

    void polled(boolean found, long now) {
        dueAt = found ? now : now + pause;
        pause = found ? shortest : Math.min(2 * pause, longest);
    }
}
