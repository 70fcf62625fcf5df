package dev.waybill.relay.loop;

import dev.waybill.relay.lease.LoopProgress;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import dev.waybill.supervision.StopSignal;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What surrounds a turn of the loop: failures and back-off, a drain in the caller's thread, the end. Confined to one thread. */
final class LoopTurn {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLoop.class);
    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(100);
    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(5);
    private static final Duration WHILE_SENDING = Duration.ofMillis(20);
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

    /** Takes a turn and says how long to rest; a failure is logged and backed off from, never thrown. */
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
        // After each turn: what the loop shares with others ends later.
        fault.over("The relay goes on");
    }

    // Others take over what a relay cannot serve for longer than a lease.
    private Duration fail(RuntimeException failure) {
        long now = nanoTime.getAsLong();
        failingSince = backOff.isZero() ? now : failingSince;
        backOff = backOff.isZero() ? FIRST_BACK_OFF : shorter(backOff.multipliedBy(2), LONGEST_BACK_OFF);
        retryAt = now + backOff.toNanos();
        loop.failed();
        progress.does(LoopProgress.FAILING, RootCause.of(failure));
        fault.met("A turn of the relay failed, and the next one follows after a back-off", failure);
        if (now - failingSince > leaseDuration.toNanos()) {
            progress.loseGround();
        }
        return backOff;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Takes turns until all that is committed is published or cannot be for now; returns how many were accepted. */
    int drain(Duration atMost, StopSignal signal) {
        long end = nanoTime.getAsLong() + atMost.toNanos();
        loop.takePublished();
        loop.membersChanged();
        boolean done = false;
        while (!done && nanoTime.getAsLong() - end < 0) {
            done = loop.drainStep();
            if (!done) {
                rest(signal, loop.isQuiet() ? SHORTLY : WHILE_SENDING);
            }
        }
        return loop.takePublished();
    }

    private static void rest(StopSignal signal, Duration atMost) {
        try {
            signal.rest(atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while messages were on their way", e);
        }
    }

    /** Lets what is under way come back, settles it, and gives all destinations up. */
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
                    "The destinations could not be given up; others take over when the lease has run out: {}",
                    RootCause.of(e));
        }
        progress.loseGround();
    }

    /** Tells other relays that this one is no more. */
    void announceEnd() {
        try {
            announce.run();
        } catch (RuntimeException e) {
            LOG.debug("Other relays could not be told of the end", e);
        }
    }
}
