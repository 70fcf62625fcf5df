package dev.waybill.relay;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Waits for a signal, at most so long. A signal that comes while nobody waits is remembered. Thread-safe. */
final class Waiter {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean signalled;

    void signal() {
        lock.lock();
        try {
            signalled = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!signalled && left > 0) {
                left = woken.awaitNanos(left);
            }
            signalled = false;
        } finally {
            lock.unlock();
        }
    }
}
