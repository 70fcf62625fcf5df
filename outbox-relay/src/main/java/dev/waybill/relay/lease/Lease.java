package dev.waybill.relay.lease;

import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the process knows about its lease. The heartbeat writes it, the loop reads it. Thread-safe.
 *
 * <p>Each possible loss of the lease raises the {@link #generation}. The loop then clears its memory, because other relays may
 * have owned its destinations.
 */
public final class Lease {
    private final Duration duration;
    private final LongSupplier nanoTime;
    private @Nullable UUID relay;
    private boolean granted;
    private boolean spent;
    private long trustedUntil;
    private long generation;

    /** @param nanoTime a monotonic clock */
    public Lease(Duration duration, LongSupplier nanoTime) {
        this.duration = duration;
        this.nanoTime = nanoTime;
    }

    public Duration duration() {
        return duration;
    }

    public synchronized boolean isTrusted() {
        return granted && trustedUntil - nanoTime.getAsLong() > 0;
    }

    /** Whether the lease is valid without a gap since that generation. */
    public synchronized boolean isTrustedSince(long known) {
        return generation == known && isTrusted();
    }

    public synchronized long generation() {
        return generation;
    }

    /** The relay's current id. Throws an {@link IllegalStateException} before the first heartbeat. */
    public synchronized UUID relay() {
        if (relay == null) {
            throw new IllegalStateException("The relay has no id before its first heartbeat");
        }
        return relay;
    }

    synchronized @Nullable UUID id() {
        return relay;
    }

    /** Whether the id has lost its lease and needs a successor. */
    synchronized boolean isSpent() {
        return relay == null || spent;
    }

    /** The lease has expired, or may have. */
    synchronized void lapse() {
        if (granted) {
            generation++;
            spent = true;
        }
        granted = false;
    }

    /** A new id; whatever the old id owned is lost. */
    synchronized void renewAs(UUID id) {
        generation++;
        granted = false;
        relay = id;
        spent = false;
    }

    /** The database has extended the lease after a request at this time. */
    synchronized void trust(long askedAt) {
        granted = true;
        trustedUntil = askedAt + duration.toNanos() / 4 * 3;
    }
}
