package dev.waybill.relay;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

    // As long as the last one took, nobody begins another, so that hundreds of callers share few. One that has hung
    // keeps nobody waiting for as long.
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
        @Nullable String server = null;
        try {
            server = check.get();
        } finally {
            lock.lock();
            end(number, since);
            passed(number, server);
            ended.signalAll();
        }
    }

    // One that was overtaken says nothing about the one that is under way now.
    private void end(long number, long since) {
        if (number == begun) {
            long now = nanoTime.getAsLong();
            underWay = false;
            restUntil = now + Math.min(now - since, PATIENCE.toNanos());
        }
    }

    private void passed(long number, @Nullable String server) {
        if (server != null && last.number() < number) {
            last = new Passed(number, server);
        }
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
