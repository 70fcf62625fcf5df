package dev.waybill.inbox.lock;

import java.time.Duration;

/** Waits, unless there is no time left. */
@FunctionalInterface
public interface StoppableSleep {
    /** Returns false if the consumer is to stop instead of going on. */
    boolean during(Duration pause) throws InterruptedException;
}
