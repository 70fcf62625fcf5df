package dev.waybill.inbox.lock;

import dev.waybill.inbox.ConsumerHealth.HangingHandler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.Receiver;
import dev.waybill.inbox.connect.Backend;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The receiver, message and attempt of one worker. The worker records them. The {@link LockWatchdog} reads them, renews locks, and
 * interrupts an attempt that takes too long or has lost its lock. Thread-safe.
 */
public final class InFlightWork {
    /** A lock without a renewal counts as lost this fraction before its end. */
    private static final int LAST_PART = 10;

    private final Limits limits;
    private final WorkerClock clock;
    private final StatementCanceller cut;
    private @Nullable Receiver receiver;
    private @Nullable Fence fence;
    private @Nullable InboundMessage message;
    private boolean wanted;
    private long acceptedAt;
    private long lockedAt;
    private long startedAt;
    private long renewNotBefore;
    private boolean renewing;
    private @Nullable Throwable lost;
    private @Nullable Thread thread;
    private @Nullable Connection connection;
    private @Nullable InboundMessage handled;
    private @Nullable Backend backend;
    private long handlingSince;
    private long interruptedAt;
    private boolean interrupted;
    private boolean timed;
    private boolean timedOut;

    public InFlightWork(Limits limits, WorkerClock clock, StatementCanceller cut) {
        this.limits = limits;
        this.cut = cut;
        this.clock = clock;
    }

    // Time limits: of an attempt; of a lock without a renewal; of one message's renewals over all attempts; and from an
    // interrupt to the cancellation of the statement, with five times that until the connection is cut.
    public record Limits(Duration handler, EntityLock lock, Duration renewal, Duration cancelAfter) {}

    public synchronized void accepted(Receiver accepted) {
        receiver = accepted;
        fence = null;
        wanted = false;
        message = null;
        lost = null;
        acceptedAt = clock.now();
        lockedAt = acceptedAt;
        startedAt = acceptedAt;
        renewNotBefore = acceptedAt;
        accepted.whenLost(() -> lost(accepted, null));
    }

    public void fenced(Fence drawn) {
        fence = drawn;
    }

    public @Nullable Fence fence() {
        return fence;
    }

    public void wanted() {
        wanted = true;
    }

    public boolean takeWanted() {
        boolean told = wanted;
        wanted = false;
        return told;
    }

    public synchronized void received(InboundMessage received) {
        message = received;
        startedAt = clock.now();
        if (receiver != null && receiver.session().isEmpty()) {
            acceptedAt = startedAt;
            lockedAt = startedAt;
            renewNotBefore = startedAt;
            lost = null;
        }
        if (receiver != null) {
            // Measured from the acceptance: the broker may have sent the message, with the end of its lock, before the
            // last renewal.
            limits.lock.seen(received, Duration.ofNanos(startedAt - acceptedAt));
        }
    }

    public synchronized void settled() {
        message = null;
        startedAt = clock.now();
    }

    public synchronized void released() {
        receiver = null;
        fence = null;
        lost = null;
        message = null;
    }

    /** From here to {@link #end} the watchdog may interrupt the calling thread if the lock is lost. */
    public synchronized void begin() {
        requireLock();
        clock.dropStrayInterrupt();
        thread = Thread.currentThread();
        interrupted = false;
        timed = false;
        timedOut = false;
    }

    /** From here to {@link #end} the handler's timeout applies too. */
    public synchronized void handling(InboundMessage begun, Backend where) {
        handled = begun;
        backend = where;
        handlingSince = clock.now();
        timed = true;
    }

    /** Sets the connection to cut if the attempt ignores its interrupt. */
    public synchronized void using(Connection used) {
        connection = used;
    }

    /** Ends the attempt; returns whether the watchdog interrupted it because of its timeout. */
    public synchronized boolean end() {
        thread = null;
        connection = null;
        handled = null;
        backend = null;
        if (interrupted) {
            // The watchdog's interrupt must not reach the worker's next action.
            Thread.interrupted();
        } else {
            clock.dropStrayInterrupt();
        }
        return timedOut;
    }

    public synchronized void requireLock() {
        if (lost != null) {
            throw lost instanceof LockLostException known
                    ? known
                    : new LockLostException("The lock was lost during the handling of its message", lost);
        }
    }

    /** Throws also when half the lock duration has passed without a renewal. */
    public synchronized void requireFreshLock() {
        requireLock();
        if (clock.now() - lockedAt >= limits.lock.lasts().toNanos() / 2) {
            throw new LockLostException("The session was accepted too long ago", null);
        }
    }

    /** Called by the watchdog's thread. */
    void check() {
        @Nullable Receiver toRenew;
        @Nullable InboundMessage inHand;
        @Nullable Backend toCancel;
        @Nullable Connection toCut;
        synchronized (this) {
            long now = clock.now();
            interruptIfTooLong(now);
            toCancel = toCancel(now);
            toCut = toCut(now);
            toRenew = renewalDue(now);
            inHand = message;
        }
        if (toCancel != null) {
            cut.cancel(toCancel);
        }
        if (toCut != null) {
            cut.cut(toCut);
        }
        if (toRenew != null) {
            renew(toRenew, inHand);
        }
    }

    private void interruptIfTooLong(long now) {
        if (thread != null && timed && !interrupted && now - handlingSince >= limits.handler.toNanos()) {
            timedOut = true;
            interrupt();
        }
    }

    private void interrupt() {
        if (thread != null && !interrupted) {
            interrupted = true;
            interruptedAt = clock.now();
            thread.interrupt();
        }
    }

    private @Nullable Backend toCancel(long now) {
        if (!unheeded(now, limits.cancelAfter)) {
            return null;
        }
        @Nullable Backend due = backend;
        backend = null;
        return due;
    }

    private @Nullable Connection toCut(long now) {
        if (!unheeded(now, limits.cancelAfter.multipliedBy(5))) {
            return null;
        }
        @Nullable Connection due = connection;
        connection = null;
        return due;
    }

    /** The running handler, if it ignored interrupt, cancellation and cut. */
    public synchronized Optional<HangingHandler> hanging() {
        long now = clock.now();
        @Nullable InboundMessage inHand = handled;
        if (inHand == null || !timed || !unheeded(now, limits.cancelAfter.multipliedBy(6))) {
            return Optional.empty();
        }
        return Optional.of(
                new HangingHandler(inHand.id(), inHand.session().orElse(null), Duration.ofNanos(now - handlingSince)));
    }

    private boolean unheeded(long now, Duration time) {
        return interrupted && thread != null && now - interruptedAt >= time.toNanos();
    }

    private @Nullable Receiver renewalDue(long now) {
        @Nullable Receiver holder = receiver;
        if (holder == null
                || lost != null
                || (message == null && holder.session().isEmpty())) {
            return null;
        }
        long lock = limits.lock.lasts().toNanos();
        if (now - lockedAt >= lock - lock / LAST_PART) {
            lose(new LockLostException("The lock was not renewed in time", null));
            if (holder.session().isPresent()) {
                cut.giveBack(holder);
            }
            return null;
        }
        boolean due = now - lockedAt >= lock / 2 && now - renewNotBefore >= 0;
        boolean mayStill = now - startedAt < limits.renewal.toNanos();
        if (!due || !mayStill || renewing) {
            return null;
        }
        renewing = true;
        return holder;
    }

    private void renew(Receiver holder, @Nullable InboundMessage inHand) {
        long askedAt = clock.now();
        CompletionStage<@Nullable Void> renewal;
        try {
            renewal = holder.renewLock(inHand);
        } catch (Throwable e) {
            // For example out of memory: the request was not sent.
            renewal = CompletableFuture.failedFuture(e);
        }
        var unused = renewal.whenComplete((done, failure) -> renewed(holder, inHand, askedAt, failure));
    }

    private synchronized void renewed(
            Receiver holder, @Nullable InboundMessage inHand, long askedAt, @Nullable Throwable failure) {
        renewing = false;
        boolean stillInHand = receiver == holder && (holder.session().isPresent() || message == inHand);
        if (!stillInHand) {
            return;
        }
        if (failure == null) {
            lockedAt = askedAt;
        } else if (isLoss(failure)) {
            limits.lock.lostAfter(Duration.ofNanos(clock.now() - lockedAt));
            lose(failure);
        } else {
            renewNotBefore = clock.now() + limits.lock.lasts().toNanos() / LAST_PART / 3;
        }
    }

    private static boolean isLoss(Throwable failure) {
        return failure instanceof LockLostException || failure.getCause() instanceof LockLostException;
    }

    private synchronized void lost(Receiver from, @Nullable Throwable why) {
        if (receiver == from && lost == null) {
            lose(why == null ? new LockLostException("The broker ended the session", null) : why);
        }
    }

    private void lose(Throwable why) {
        lost = why;
        interrupt();
    }
}
