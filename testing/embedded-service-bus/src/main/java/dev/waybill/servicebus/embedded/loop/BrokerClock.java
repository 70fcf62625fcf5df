package dev.waybill.servicebus.embedded.loop;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The broker's time line: the wall clock plus what tests have advanced it by. Deadlines live on this line; what
 * clients are told is always wall time, because they schedule their own renewals from it. Confined to the loop's
 * thread.
 */
public final class BrokerClock {
    /** The deadline of what never falls due. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Clients cut the fractions of a second off the longest duration of Service Bus in different ways. */
    private static final Duration ENDLESS = Duration.ofDays(10_675_199);

    private final InstantSource source;
    private long offsetMillis;
    /** How far the present still is from where it is being moved to. */
    private long behindMillis;

    public BrokerClock(InstantSource source) {
        this.source = source;
    }

    /** Milliseconds since the epoch, by the real clock. */
    public long wallMillis() {
        return source.millis();
    }

    /** The present on the broker's time line, in milliseconds. */
    public long now() {
        return destination() - behindMillis;
    }

    /** Where time will stop that is being moved ahead; the present, if it is not. */
    public long destination() {
        return source.millis() + offsetMillis;
    }

    /** The deadline that lies this far ahead; a null or overlong wait never ends. */
    public long after(Duration wait) {
        return plus(now(), wait);
    }

    /** A moment on the time line moved ahead, without running over its end. */
    public static long plus(long moment, Duration wait) {
        if (moment == NEVER || wait.compareTo(ENDLESS) >= 0) {
            return NEVER;
        }
        return moment + wait.toMillis();
    }

    /** The form of a deadline that clients are told. */
    public long toWall(long deadline) {
        return deadline == NEVER ? NEVER : deadline - offsetMillis;
    }

    /** Where a wall time named by a client lies on the broker's time line. */
    public long fromWall(long wallMillis) {
        return wallMillis + offsetMillis;
    }

    /**
     * Begins to move time ahead: the present stays where it is, and what clients are told is as it will be at the
     * end.
     */
    void depart(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("Broker time cannot go back: " + by);
        }
        offsetMillis += by.toMillis();
        behindMillis += by.toMillis();
    }

    /** Moves the present ahead to this moment, which lies on the way. */
    void reach(long moment) {
        behindMillis = Math.max(0, Math.min(behindMillis, destination() - moment));
    }

    void arrive() {
        behindMillis = 0;
    }
}
