package dev.waybill.relay.send;

import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker for a destination. While open, it lets nothing through for a back-off that doubles with each failure, with
 * jitter. Then one shipment is sent as a probe. A probe ends with its result or after {@link #LONGEST_PROBE}, so a lost result
 * cannot keep the breaker open. Thread-safe.
 */
public final class Breaker {
    /** Failures in a row that may concern single lanes. */
    private static final int TOLERATED = 2;

    /** Far longer than a send; a second probe beside a slow one is harmless. */
    static final Duration LONGEST_PROBE = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private int failures;
    private int inFlight;

    /** When the broker last answered, or a send began after a time without any. */
    private long answeredAt;

    private int openings;
    private boolean open;
    private boolean probing;
    private long openUntil;
    private long probedAt;
    private @Nullable Throwable refusal;
    private long refusals;
    private @Nullable PublishResult lastFailure;

    public Breaker(LongSupplier nanoTime, RandomGenerator random) {
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /** Whether a shipment may be sent; its result must then be {@linkplain #report reported}. */
    public synchronized boolean admits() {
        if (open && (isBackingOff() || isProbing())) {
            return false;
        }
        if (open) {
            probing = true;
            probedAt = nanoTime.getAsLong();
        }
        answeredAt = inFlight == 0 && failures == 0 ? nanoTime.getAsLong() : answeredAt;
        inFlight++;
        return true;
    }

    /** How long the broker has accepted nothing while a shipment was in flight; zero without one. */
    public synchronized Duration silence() {
        return inFlight == 0 ? Duration.ZERO : Duration.ofNanos(nanoTime.getAsLong() - answeredAt);
    }

    public synchronized boolean isProbing() {
        return open && probing && nanoTime.getAsLong() - probedAt < LONGEST_PROBE.toNanos();
    }

    /** Whether a shipment in flight may continue: its batches so far were accepted. */
    public synchronized boolean isFlowing() {
        answeredAt = failures == 0 ? nanoTime.getAsLong() : answeredAt;
        return !open || probing;
    }

    /** Reports the result of an admitted shipment, and ends a probe. */
    public synchronized void report(PublishResult result) {
        probing = false;
        inFlight = Math.max(0, inFlight - 1);
        boolean answered = result.outcome() != Outcome.UNAVAILABLE && result.outcome() != Outcome.UNEXPLAINED;
        answeredAt = answered || result.accepted() > 0 ? nanoTime.getAsLong() : answeredAt;
        if (result.failure() != null) {
            lastFailure = result;
        }
        if (result.accepted() > 0 || result.outcome() == Outcome.MESSAGE_REFUSED) {
            close();
        }
        switch (result.outcome()) {
            // A shipment that was stopped before its first send shows nothing.
            case ACCEPTED, NOT_SENT, MESSAGE_REFUSED -> {}
            case UNAVAILABLE, UNEXPLAINED -> {
                failures++;
                if (open || failures > TOLERATED) {
                    open(Duration.ofMillis(100), Duration.ofSeconds(5));
                }
            }
            case THROTTLED -> open(Duration.ofMillis(500), Duration.ofSeconds(30));
            case DESTINATION_REFUSED -> {
                refusal = result.failure();
                refusals++;
                open(Duration.ofSeconds(1), Duration.ofSeconds(60));
            }
        }
    }

    /** The last failure while the breaker is open, else null. */
    public synchronized @Nullable PublishResult lastFailure() {
        return open ? lastFailure : null;
    }

    /** Why the destination refuses all messages; null if it does not. */
    public synchronized @Nullable Throwable refusal() {
        return refusal;
    }

    /** How often the destination has refused all messages since the last {@linkplain #restart restart}. */
    public synchronized long refusals() {
        return refusals;
    }

    /** The relay has claimed the destination anew, and knows nothing of it. */
    public synchronized void restart() {
        close();
        refusals = 0;
    }

    /** The remaining back-off. */
    public synchronized Duration backOff() {
        return open && isBackingOff() ? Duration.ofNanos(openUntil - nanoTime.getAsLong()) : Duration.ZERO;
    }

    private void close() {
        open = false;
        failures = 0;
        openings = 0;
        refusal = null;
    }

    // Of many shipments that fail together, only the first counts.
    private void open(Duration first, Duration longest) {
        if (open && isBackingOff()) {
            return;
        }
        long millis = Math.min(first.toMillis() << Math.min(openings, 20), longest.toMillis());
        openings++;
        open = true;
        openUntil = nanoTime.getAsLong()
                + Duration.ofMillis(millis / 2 + random.nextLong(millis / 2 + 1))
                        .toNanos();
    }

    private boolean isBackingOff() {
        return openUntil - nanoTime.getAsLong() > 0;
    }
}
