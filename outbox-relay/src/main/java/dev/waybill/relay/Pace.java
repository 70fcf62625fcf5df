package dev.waybill.relay;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * When a loop looks for something new: at once when it is told to, unless it has found something a moment ago, for looks that
 * find one message each cost most of all, or was told so a moment ago and has found nothing either time; soon after it has
 * found something; then after ever longer rests while there is nothing, and longer still, with jitter, while the database
 * fails. In a busy time looks are half as many, for each finds several messages all the same. Not thread-safe.
 */
final class Pace {
    private static final Duration FIRST_IDLE = Duration.ofMillis(1);
    private static final Duration FIRST_FAILURE = Duration.ofMillis(100);
    private static final Duration LONGEST_FAILURE = Duration.ofSeconds(5);

    /** Far longer than anybody waits, and short enough to count in nanoseconds. */
    private static final Duration ENDLESS = Duration.ofDays(365);

    private static final double NANOS_PER_SECOND = 1e9;

    /** Messages a second that make a time busy. */
    private static final int BUSY_RATE = 750;

    /** Over which they are counted. */
    private static final long RATE_NANOS = Duration.ofMillis(250).toNanos();

    private final Duration quietBetween;
    private final Duration busyBetween;
    private final Duration longestIdle;
    private final RandomGenerator random;
    private final LongSupplier nanoTime;
    private final Activity activity;
    private Duration idle = FIRST_IDLE;
    private Duration failure = FIRST_FAILURE;
    private long failedUntil;
    private Duration leastBetween;
    private int messages;
    private long countedFrom;
    private boolean woken;
    private boolean calledOften;
    private long calledAt;
    private long lookedAt;
    private long readAt;
    private long foundAt;
    private long lookAt;

    /**
     * A pace at its beginning.
     *
     * @param leastBetween between a look that has found something and the next; twice that in a busy time
     * @param longestIdle between two looks while none come
     */
    Pace(Duration leastBetween, Duration longestIdle, RandomGenerator random, LongSupplier nanoTime) {
        this.quietBetween = shorter(leastBetween, ENDLESS);
        this.longestIdle = shorter(longestIdle, ENDLESS);
        this.busyBetween = longer(quietBetween, shorter(quietBetween.multipliedBy(2), this.longestIdle));
        this.leastBetween = quietBetween;
        this.random = random;
        this.nanoTime = nanoTime;
        this.activity = new Activity(nanoTime);
        this.lookAt = nanoTime.getAsLong();
        this.failedUntil = lookAt;
        this.lookedAt = lookAt;
        this.countedFrom = lookAt;
        this.readAt = lookAt;
        this.foundAt = lookAt - this.leastBetween.toNanos();
        this.calledAt = lookAt - 2 * this.leastBetween.toNanos();
    }

    /** Whether writers have been active a moment ago, by the last sequence value that was drawn. */
    boolean isActive(long drawn) {
        return activity.isRecent(drawn);
    }

    boolean isLookDue() {
        return lookAt - nanoTime.getAsLong() <= 0;
    }

    /** Whether the next look is planned for the moment before which nobody can call for one. */
    boolean isLookAsSoonAsItMay() {
        return lookAt - (foundAt + leastBetween.toNanos()) <= 0;
    }

    /** How long until the next look is due. */
    Duration untilLook() {
        return Duration.ofNanos(Math.max(0, lookAt - nanoTime.getAsLong()));
    }

    // A glance will do if nobody has said that there is something and a full look comes in time after the next rest.
    private boolean mayGlance(long now) {
        return !woken
                && idle.compareTo(longestIdle) < 0
                && failure.equals(FIRST_FAILURE)
                && now - readAt + Math.max(idle.toNanos(), leastBetween.toNanos()) <= longestIdle.toNanos();
    }

    /** Somebody says that there is something new. Rests begin short again: more may be about to commit. */
    void woken() {
        woken = true;
        idle = FIRST_IDLE;
        lookAfter(Duration.ZERO);
    }

    /**
     * The loop looks now.
     *
     * @return whether a glance will do
     */
    boolean looks() {
        lookedAt = nanoTime.getAsLong();
        reckonRate();
        boolean glance = mayGlance(lookedAt);
        if (!glance) {
            readAt = lookedAt;
        }
        calledOften = woken && lookedAt - calledAt < 2 * leastBetween.toNanos();
        calledAt = woken ? lookedAt : calledAt;
        woken = false;
        return glance;
    }

    private void reckonRate() {
        long elapsed = lookedAt - countedFrom;
        if (elapsed >= RATE_NANOS) {
            boolean busy = messages >= BUSY_RATE * (elapsed / NANOS_PER_SECOND);
            leastBetween = busy ? busyBetween : quietBetween;
            messages = 0;
            countedFrom = lookedAt;
        }
    }

    /** So many messages were published since it was told last. */
    void afterWork(int published) {
        messages += published;
        foundAt = lookedAt;
        idle = FIRST_IDLE;
        // Counted from the last look: counted from now, none would be due as long as answers come without a rest.
        lookAt = lookedAt + longer(FIRST_IDLE, leastBetween).toNanos();
    }

    /** Nothing is to be found for now, however often somebody says so: the next look is not sooner than after one that finds. */
    void findsNothing() {
        foundAt = lookedAt;
    }

    void afterIdle() {
        if (calledOften) {
            // It is others' messages that commit, or those that the look before has found.
            findsNothing();
        }
        lookAfter(idle);
        // Not multiplied: that takes ten times as long, and this is on the way of every message.
        idle = shorter(idle.plus(idle), longestIdle);
    }

    /** Says how long to rest: each time longer, until it {@linkplain #recovered() works again}. */
    Duration afterFailure() {
        long millis = failure.toMillis();
        failure = shorter(failure.multipliedBy(2), LONGEST_FAILURE);
        lookAfter(Duration.ZERO);
        Duration rest = Duration.ofMillis(millis / 2 + random.nextLong(millis / 2 + 1));
        failedUntil = nanoTime.getAsLong() + rest.toNanos();
        return rest;
    }

    /** How much of the rest after a failure is left: whatever ends a rest does not end this one. */
    Duration leftAfterFailure() {
        return Duration.ofNanos(Math.max(0, failedUntil - nanoTime.getAsLong()));
    }

    /** The next failure is a first one. */
    void recovered() {
        failure = FIRST_FAILURE;
    }

    private void lookAfter(Duration rest) {
        long now = nanoTime.getAsLong();
        long soonest = foundAt + leastBetween.toNanos();
        lookAt = now + Math.max(rest.toNanos(), soonest - now);
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
