package dev.waybill.servicebus.embedded.fault;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A rule in force. Thread-safe. */
public final class FaultHandle {
    private static final int REMEMBERED = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hit = lock.newCondition();
    private final ArrayDeque<FaultEvent> events = new ArrayDeque<>();
    private int hits;
    private volatile boolean cancelled;

    FaultHandle() {}

    public int hits() {
        lock.lock();
        try {
            return hits;
        } finally {
            lock.unlock();
        }
    }

    /** The events that the rule hit, oldest first; the last 10,000. */
    public List<FaultEvent> events() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a number of hits; false on a timeout. */
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

    /** Ends the rule. Steps that it has already delayed or stopped stay so. */
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
