package dev.waybill.servicebus.embedded.fault;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A rule in force: how often it has hit, and the means to end it. Safe for use by any thread. */
public final class FaultHandle {
    private static final int REMEMBERED = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hit = lock.newCondition();
    private final ArrayDeque<FaultEvent> events = new ArrayDeque<>();
    private int hits;
    private volatile boolean cancelled;

    FaultHandle() {}

    /** How often the rule has hit. */
    public int hits() {
        lock.lock();
        try {
            return hits;
        } finally {
            lock.unlock();
        }
    }

    /** The events that it has hit, oldest first; only the last 10,000. */
    public List<FaultEvent> events() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the rule has hit this often.
     *
     * @return false if the time ran out first
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public boolean awaitHits(int count, Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (hits < count) {
                if (left <= 0) {
                    return false;
                }
                left = hit.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the rule. Steps that it has already delayed or withheld stay so. */
    public void cancel() {
        cancelled = true;
    }

    boolean cancelled() {
        return cancelled;
    }

    void record(FaultEvent event) {
        lock.lock();
        try {
            hits++;
            if (events.size() == REMEMBERED) {
                events.removeFirst();
            }
            events.addLast(event);
            hit.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "FaultHandle[hits=" + hits() + "]";
    }
}
