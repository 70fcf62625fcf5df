package dev.waybill.relay.send;

import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Spares a destination that does not take messages. Open, it lets nothing through for a time that doubles with
 * each failure in a row, with jitter; then it lets one shipment through to see: a probe. A probe ends with its
 * report, or after {@link #LONGEST_PROBE}, so that a shipment whose result never comes cannot keep the destination
 * closed. Thread-safe.
 */
public final class Breaker {
    /** Failures in a row that may be one lane's bad luck. */
    private static final int TOLERATED = 2;

    /** Far longer than a send takes; a second probe beside a slow first one does no harm. */
    static final Duration LONGEST_PROBE = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private int failures;
    private int openings;
    private boolean open;
    private boolean probing;
    private long openUntil;
    private long probedAt;
    private @Nullable Throwable refusal;
    private @Nullable PublishResult trouble;

    public Breaker(LongSupplier nanoTime, RandomGenerator random) {
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /** Whether a shipment may go; its result must then be {@linkplain #report reported}. */
    public synchronized boolean admits() {
        if (!open) {
            return true;
        }
        if (isResting() || isProbing()) {
            return false;
        }
        probing = true;
        probedAt = nanoTime.getAsLong();
        return true;
    }

    /** Whether a probe is under way: nothing would be admitted beside it. */
    public synchronized boolean isProbing() {
        return open && probing && nanoTime.getAsLong() - probedAt < LONGEST_PROBE.toNanos();
    }

    /** Whether a shipment under way may go on. */
    public synchronized boolean isFlowing() {
        return !open || probing;
    }

    /** Takes the result of a shipment that was admitted, whatever it is, and ends the probe if there is one. */
    public synchronized void report(PublishResult result) {
        probing = false;
        if (result.failure() != null) {
            trouble = result;
        }
        if (result.accepted() > 0 || result.outcome() == Outcome.MESSAGE_REFUSED) {
            close();
        }
        switch (result.outcome()) {
            // A shipment that was stopped before its first send says nothing.
            case ACCEPTED, NOT_SENT, MESSAGE_REFUSED -> {}
            case UNAVAILABLE -> {
                failures++;
                if (open || failures > TOLERATED) {
                    open(Duration.ofMillis(100), Duration.ofSeconds(5));
                }
            }
            case THROTTLED -> open(Duration.ofMillis(500), Duration.ofSeconds(30));
            case DESTINATION_REFUSED -> {
                refusal = result.failure();
                open(Duration.ofSeconds(1), Duration.ofSeconds(60));
            }
        }
    }

    /** The last failure while the destination is being spared; null if it is not. */
    public synchronized @Nullable PublishResult trouble() {
        return open ? trouble : null;
    }

    /** Why the destination takes nothing at all; null if it is not known to refuse. */
    public synchronized @Nullable Throwable refusal() {
        return refusal;
    }

    /** How long nothing will be let through; zero if something may be. */
    public synchronized Duration rest() {
        return open && isResting() ? Duration.ofNanos(openUntil - nanoTime.getAsLong()) : Duration.ZERO;
    }

    private void close() {
        open = false;
        failures = 0;
        openings = 0;
        refusal = null;
    }

    // Many shipments fail together; the first of them counts.
    private void open(Duration first, Duration longest) {
        if (open && isResting()) {
            return;
        }
        long millis = Math.min(first.toMillis() << Math.min(openings, 20), longest.toMillis());
        openings++;
        open = true;
        openUntil = nanoTime.getAsLong()
                + Duration.ofMillis(millis / 2 + random.nextLong(millis / 2 + 1))
                        .toNanos();
    }

    private boolean isResting() {
        return openUntil - nanoTime.getAsLong() > 0;
    }
}
