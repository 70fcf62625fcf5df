package dev.waybill.relay;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether writers have been active a moment ago, by the last sequence value that was drawn. It moves when a value is drawn, not
 * when its row commits, so it can only shorten a wait; that nothing is missed rests on reading in full from time to time. Not
 * thread-safe.
 */
final class Activity {
    /** How long after its value was drawn a row is looked for with short rests. */
    private static final long RECENT_NANOS = Duration.ofMillis(50).toNanos();

    private final LongSupplier nanoTime;
    private long lastDrawn;
    private long movedAt;

    Activity(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.movedAt = nanoTime.getAsLong();
    }

    boolean isRecent(long drawn) {
        long now = nanoTime.getAsLong();
        if (drawn != lastDrawn) {
            lastDrawn = drawn;
            movedAt = now;
        }
        return now - movedAt < RECENT_NANOS;
    }
}
