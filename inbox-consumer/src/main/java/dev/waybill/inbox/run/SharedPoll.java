package dev.waybill.inbox.run;

import dev.waybill.inbox.lock.WorkerClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Lets threads that look for the same kind of work rest together: one of them looks again and again, and wakes another one
 * whenever there was something. Thread-safe.
 */
final class SharedPoll {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final Duration poll;
    private final WorkerClock clock;
    private boolean led;

    SharedPoll(Duration poll, WorkerClock clock) {
        this.poll = poll;
        this.clock = clock;
    }

    /** There was something, and there may be more. */
    synchronized void found() {
        notify();
    }

    /** The consumer stops. */
    synchronized void stopped() {
        notifyAll();
    }

    /** Returns when it is time to look again. */
    synchronized void rest() throws InterruptedException {
        boolean leads = !led;
        led = true;
        try {
            if (!clock.stopping()) {
                TimeUnit.NANOSECONDS.timedWait(this, (leads ? poll : LONGEST).toNanos());
            }
        } finally {
            if (leads) {
                led = false;
            }
        }
    }
}
