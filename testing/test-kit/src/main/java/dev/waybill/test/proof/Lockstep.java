package dev.waybill.test.proof;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets handlers in several threads take their statements in step: each waits until all others have arrived or ended. When one waits for
 * another's lock, all go on freely. Thread-safe.
 */
final class Lockstep {
    static final Lockstep FREE = new Lockstep();

    private static final long PATIENCE_NANOS = Duration.ofMillis(300).toNanos();

    private final Map<Thread, Integer> places = new HashMap<>();
    private boolean broken;

    synchronized void join(Thread thread) {
        places.put(thread, 0);
    }

    synchronized void leave(Thread thread) {
        places.remove(thread);
        notifyAll();
    }

    synchronized void arrive() {
        Thread me = Thread.currentThread();
        if (broken || !places.containsKey(me)) {
            return;
        }
        int number = places.merge(me, 1, Integer::sum);
        notifyAll();
        try {
            broken = !allArrive(number);
        } catch (InterruptedException e) {
            me.interrupt();
            broken = true;
        }
        notifyAll();
    }

    private synchronized boolean allArrive(int number) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (places.values().stream().anyMatch(place -> place < number)) {
            long left = end - System.nanoTime();
            if (left <= 0 || broken) {
                return false;
            }
            wait(Math.max(1, left / 1_000_000));
        }
        return !broken;
    }
}
