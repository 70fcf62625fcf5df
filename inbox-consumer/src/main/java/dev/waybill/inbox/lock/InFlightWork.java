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
 * The work of one worker: the receiver, the message, the attempt. The worker records it as it goes; the
 * {@link LockWatchdog} reads it, prolongs locks, and interrupts an attempt that takes too long or whose lock is
 * lost. Thread-safe.
 */
public final class InFlightWork {
    /** A lock that could not be prolonged is given up before its end, by one part in so many. */
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

    /**
     * How long things may take.
     *
     * @param handler an attempt, until it is interrupted
     * @param lock how long a lock lasts that nobody prolongs
     * @param renewal a message with all its attempts, until its lock is no longer prolonged
     * @param cancelAfter an interrupted attempt, until the statement it may wait for is cancelled; after five
     *     times as long its connection is cut
     */
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

    /** The session is this worker's, under a token. */
    public void fenced(Fence drawn) {
        fence = drawn;
    }

    public @Nullable Fence fence() {
        return fence;
    }

    /** A deferred message of the session in hand is wanted back. */
    public void wanted() {
        wanted = true;
    }

    /** Whether that was told since the last time somebody asked. */
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
            // Not since it was prolonged last: the message may have been sent before that, and say when the
            // lock ended then.
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

    /** From here to {@link #end} the calling thread may be interrupted, because the lock is lost. */
    public synchronized void begin() {
        requireLock();
        clock.dropStrayInterrupt();
        thread = Thread.currentThread();
        interrupted = false;
        timed = false;
        timedOut = false;
    }

    /** From here to {@link #end} also because it takes too long. */
    public synchronized void handling(InboundMessage begun, Backend where) {
        handled = begun;
        backend = where;
        handlingSince = clock.now();
        timed = true;
    }

    /** Sets the connection to cut if the attempt does not heed its interruption. */
    public synchronized void using(Connection used) {
        connection = used;
    }

    /**
     * The attempt is over.
     *
     * @return whether it had been interrupted for taking too long
     */
    public synchronized boolean end() {
        thread = null;
        connection = null;
        handled = null;
        backend = null;
        if (interrupted) {
            // Ours: it must not reach what the worker does next.
            Thread.interrupted();
        } else {
            clock.dropStrayInterrupt();
        }
        return timedOut;
    }

    /** Throws if the lock of the message in hand is known to be lost. */
    public synchronized void requireLock() {
        if (lost != null) {
            throw lost instanceof LockLostException known
                    ? known
                    : new LockLostException("The lock was lost while its message was handled", lost);
        }
    }

    /** The same, and if so much time has passed that it must be taken for lost. */
    public synchronized void requireFreshLock() {
        requireLock();
        if (clock.now() - lockedAt >= limits.lock.lasts().toNanos() / 2) {
            throw new LockLostException("Too much time has passed since the session was accepted", null);
        }
    }

    /** One look: what is due is done. By the watch's thread. */
    void look() {
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

    /** The handler at work, if nothing that was done to end it has helped. */
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
            lose(new LockLostException("The lock was not prolonged in time", null));
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
            // Not even asked, as when there is no memory for it just now.
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
            lose(why == null ? new LockLostException("The broker has taken the session away", null) : why);
        }
    }

    private void lose(Throwable why) {
        lost = why;
        interrupt();
    }
}
