package dev.waybill.supervision;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Pauses that end early after a wake-up or stop. A wake-up outside a pause ends the next pause. */
public final class StopSignal implements Rests {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;
    private boolean stopped;

    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the current turn be the last. */
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
