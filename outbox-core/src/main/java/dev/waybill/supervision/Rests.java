package dev.waybill.supervision;

import java.time.Duration;

/** The pauses of a loop, which a stop ends. Thread-safe. */
public interface Rests {
    /** Whether a stop was requested. */
    boolean stopping();

    /** Pauses at most that long; less after a stop or a wake-up. */
    void rest(Duration atMost) throws InterruptedException;
}
