package dev.waybill.supervision;

import java.time.Duration;

/** The rests of a loop, and the stop that ends them. Thread-safe. */
public interface Rests {
    /** Whether a stop was asked for. */
    boolean stopping();

    /** Waits for that time; less if a stop is asked for, or if there is something to do. */
    void rest(Duration atMost) throws InterruptedException;
}
