package dev.waybill.relay.lease;

import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a process may believe of its lease. The heartbeat writes it, the loop reads it. Thread-safe.
 *
 * <p>The loop remembers the {@link #generation} under which it has read and claimed. When another one is in force, others may
 * have owned its destinations meanwhile: it drops all memory and owns nothing.
 */
public final class Lease {
    private final Duration duration;
    private final LongSupplier nanoTime;
    private @Nullable UUID relay;
    private boolean granted;
    private boolean spent;
    private long trustedUntil;
    private long generation;

    /**
     * A lease that nobody has granted.
     *
     * @param duration that the database grants; it is trusted for three quarters of that
     * @param nanoTime nanoseconds since some moment, never going back
     */
    public Lease(Duration duration, LongSupplier nanoTime) {
        this.duration = duration;
        this.nanoTime = nanoTime;
    }

    /** That the database grants. */
    public Duration duration() {
        return duration;
    }

    /** Whether the lease is valid as far as can be known here. */
    public synchronized boolean isTrusted() {
        return granted && trustedUntil - nanoTime.getAsLong() > 0;
    }

    /** Whether the lease is valid, and has been without a gap since that generation began. */
    public synchronized boolean isTrustedSince(long known) {
        return generation == known && isTrusted();
    }

    /** Grows each time that the lease may have been lost. */
    public synchronized long generation() {
        return generation;
    }

    /**
     * The id of the relay, under which it claims.
     *
     * @throws IllegalStateException before the first heartbeat
     */
    public synchronized UUID relay() {
        if (relay == null) {
            throw new IllegalStateException("No heartbeat has succeeded, so this relay has no id and can own nothing");
        }
        return relay;
    }

    synchronized @Nullable UUID id() {
        return relay;
    }

    /** Whether its id was trusted and must not be again. */
    synchronized boolean isSpent() {
        return relay == null || spent;
    }

    /** The lease is over, or may be. */
    synchronized void lapse() {
        if (granted) {
            generation++;
            spent = true;
        }
        granted = false;
    }

    /** A new id has its row. What was owned under the one before is lost. */
    synchronized void renewAs(UUID id) {
        generation++;
        granted = false;
        relay = id;
        spent = false;
    }

    /** The database has granted the lease to its id after it was asked at that time, and without a gap. */
    synchronized void trust(long askedAt) {
        granted = true;
        trustedUntil = askedAt + duration.toNanos() / 4 * 3;
    }
}
