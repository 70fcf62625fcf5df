package dev.waybill.inbox.run;

import dev.waybill.inbox.lock.WorkerClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Shares one poll among threads that look for the same kind of work: one polls, and wakes another whenever it finds some. Thread-safe. */
final class SharedPoll {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final Duration poll;
    private final WorkerClock clock;
    private boolean led;

    SharedPoll(Duration poll, WorkerClock clock) {
        this.poll = poll;
        this.clock = clock;
    }

    /** Wakes another thread: there may be more work. */
    synchronized void found() {
        notify();
    }

    synchronized void stopped() {
        notifyAll();
    }

    /** Returns when the next poll is due. */
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
