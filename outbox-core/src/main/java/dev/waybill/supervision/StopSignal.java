package dev.waybill.supervision;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Rests that end early when the loop is woken or stopped. A wake that comes while the loop does not rest is
 * remembered.
 */
public final class StopSignal implements Rests {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;
    private boolean stopped;

    /** Ends the rest of the loop, or its next one. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the turn under way be the last. */
    public void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean stopping() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void rest(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!woken && !stopped && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }
}
