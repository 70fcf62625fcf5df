package dev.waybill.servicebus.embedded.loop;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Broker time: the wall clock plus what tests have advanced. Deadlines use broker time; clients see wall time, from which they schedule
 * renewals. For the loop's thread.
 */
public final class BrokerClock {
    /** A deadline that never expires. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Clients truncate the fractional seconds of Service Bus's longest duration differently. */
    private static final Duration ENDLESS = Duration.ofDays(10_675_199);

    private final InstantSource source;
    private long offsetMillis;
    /** Remaining distance to the target of an advance. */
    private long behindMillis;

    public BrokerClock(InstantSource source) {
        this.source = source;
    }

    /** Epoch milliseconds of the real clock. */
    public long wallMillis() {
        return source.millis();
    }

    /** The present in broker time, in milliseconds. */
    public long now() {
        return destination() - behindMillis;
    }

    /** The target of an advance in progress; otherwise the present. */
    public long destination() {
        return source.millis() + offsetMillis;
    }

    /** An overlong wait gives {@link #NEVER}. */
    public long after(Duration wait) {
        return plus(now(), wait);
    }

    /** Saturates at {@link #NEVER}. */
    public static long plus(long moment, Duration wait) {
        if (moment == NEVER || wait.compareTo(ENDLESS) >= 0) {
            return NEVER;
        }
        return moment + wait.toMillis();
    }

    /** Converts broker time to wall time for clients. */
    public long toWall(long deadline) {
        return deadline == NEVER ? NEVER : deadline - offsetMillis;
    }

    /** Converts a client's wall time to broker time. */
    public long fromWall(long wallMillis) {
        return wallMillis + offsetMillis;
    }

    /** Begins an advance: the present stays, but clients see the target's time. */
    void depart(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("Broker time cannot go back: " + by);
        }
        offsetMillis += by.toMillis();
        behindMillis += by.toMillis();
    }

    void reach(long moment) {
        behindMillis = Math.max(0, Math.min(behindMillis, destination() - moment));
    }

    void arrive() {
        behindMillis = 0;
    }
}
