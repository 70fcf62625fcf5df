package dev.waybill.relay.loop;

import dev.waybill.relay.lease.LoopProgress;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import dev.waybill.supervision.StopSignal;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs turns of the loop: back-off after failures, draining on a caller's thread, and the end. Confined to one thread. */
final class LoopTurn {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLoop.class);
    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(100);
    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(5);

    /** While the publisher sends or connects; the end of either ends the pause. */
    private static final Duration UNTIL_WOKEN = Duration.ofMillis(20);

    private static final Duration SHORTLY = Duration.ofMillis(1);

    private final RelayLoop loop;
    private final LoopProgress progress;
    private final LongSupplier nanoTime;
    private final Duration leaseDuration;
    private final Runnable announce;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private Duration backOff = Duration.ZERO;
    private long failingSince;
    private long retryAt;

    LoopTurn(RelayLoop loop, LoopProgress progress, LongSupplier nanoTime, Duration leaseDuration, Runnable announce) {
        this.loop = loop;
        this.progress = progress;
        this.nanoTime = nanoTime;
        this.leaseDuration = leaseDuration;
        this.announce = announce;
    }

    Fault fault() {
        return fault;
    }

    /** Returns the pause after the turn. Logs a failure and backs off instead of throwing it. */
    Duration take() {
        long now = nanoTime.getAsLong();
        if (!backOff.isZero() && now - retryAt < 0) {
            return Duration.ofNanos(retryAt - now);
        }
        try {
            Duration rest = loop.turn();
            if (!loop.isFailing()) {
                succeed();
            }
            return rest;
        } catch (RuntimeException e) {
            return fail(e);
        }
    }

    private void succeed() {
        if (!backOff.isZero()) {
            backOff = Duration.ZERO;
            progress.becomeReady();
        }
        // After each turn, because an outage shared with other loops may end later.
        fault.recovered("The relay's turns succeed again");
    }

    // After a lease's time without success, other relays take over.
    private Duration fail(RuntimeException failure) {
        long now = nanoTime.getAsLong();
        failingSince = backOff.isZero() ? now : failingSince;
        backOff = backOff.isZero() ? FIRST_BACK_OFF : shorter(backOff.multipliedBy(2), LONGEST_BACK_OFF);
        retryAt = now + backOff.toNanos();
        loop.failed();
        progress.enter(LoopProgress.FAILING, RootCause.of(failure));
        fault.failed("A turn of the relay failed; it retries after a back-off", failure);
        if (now - failingSince > leaseDuration.toNanos()) {
            progress.becomeUnready();
        }
        return backOff;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Takes turns until no committed message can be published for now; returns the number of accepted messages. */
    int drain(Duration atMost, StopSignal signal) {
        long end = nanoTime.getAsLong() + atMost.toNanos();
        loop.takePublished();
        loop.membersChanged();
        boolean done = false;
        while (!done && nanoTime.getAsLong() - end < 0) {
            done = loop.drainStep();
            if (!done) {
                rest(signal, loop.isQuiet() && loop.isPrepared() ? SHORTLY : UNTIL_WOKEN);
            }
        }
        return loop.takePublished();
    }

    private static void rest(StopSignal signal, Duration atMost) {
        try {
            signal.rest(atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while messages were in flight", e);
        }
    }

    /** Waits for sends in flight, settles them and releases all destinations. */
    void leave(Duration longestSend) {
        long end = nanoTime.getAsLong() + longestSend.toNanos();
        try {
            loop.leave();
            var waiting = new StopSignal();
            while (!loop.isQuiet() && nanoTime.getAsLong() - end < 0) {
                waiting.rest(Duration.ofMillis(5));
                loop.leave();
            }
            loop.release(longestSend);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn(
                    "The destinations could not be released; other relays take over when the lease expires: {}",
                    RootCause.of(e));
        }
        progress.becomeUnready();
    }

    void announceEnd() {
        try {
            announce.run();
        } catch (RuntimeException e) {
            LOG.debug("Other relays could not be notified of the end", e);
        }
    }
}
