package dev.waybill.relay;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One check for all that ask for it at about the same time. A caller relies on a check that began after it had asked and
 * that passed: its own, or another caller's. Thread-safe.
 */
final class SharedCheck {
    /** A check that takes longer may hang, and the next caller makes its own. */
    static final Duration PATIENCE = Duration.ofMillis(500);

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private long begun;
    private long beganAt;
    private boolean underWay;
    private long restUntil;
    private Passed last = new Passed(0, "");

    SharedCheck(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        restUntil = nanoTime.getAsLong();
    }

    /**
     * Waits for another caller's check, or makes it.
     *
     * @param check says which server it was made on; throws if it does not pass
     * @return the server that another caller's check was made on; empty if this caller has made its own
     */
    Optional<String> require(Supplier<String> check) {
        lock.lock();
        try {
            if (isPassedByAnother(begun + 1)) {
                return Optional.of(last.server());
            }
            make(check);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private boolean isPassedByAnother(long needed) {
        try {
            long wait = untilMayBegin();
            while (last.number() < needed && wait > 0) {
                var unused = ended.awaitNanos(wait);
                wait = untilMayBegin();
            }
            return last.number() >= needed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // As long as the last one took, nobody begins another, so that hundreds of callers share few.
    private long untilMayBegin() {
        long now = nanoTime.getAsLong();
        return underWay ? beganAt + PATIENCE.toNanos() - now : restUntil - now;
    }

    private void make(Supplier<String> check) {
        long number = ++begun;
        long since = nanoTime.getAsLong();
        beganAt = since;
        underWay = true;
        lock.unlock();
        boolean locked = false;
        try {
            String server = check.get();
            lock.lock();
            locked = true;
            last = last.number() < number ? new Passed(number, server) : last;
        } finally {
            if (!locked) {
                lock.lock();
            }
            end(number, since);
        }
    }

    // One that was overtaken says nothing about the one that is under way now.
    private void end(long number, long since) {
        if (number == begun) {
            long now = nanoTime.getAsLong();
            underWay = false;
            restUntil = now + (now - since);
        }
        ended.signalAll();
    }

    /** How many callers wait for another's check. */
    int waiting() {
        lock.lock();
        try {
            return lock.getWaitQueueLength(ended);
        } finally {
            lock.unlock();
        }
    }

    private record Passed(long number, String server) {}
}
