package dev.waybill.inbox.lock;

import java.time.Duration;

@FunctionalInterface
public interface StoppableSleep {
    /** Returns false if the consumer is stopping. */
    boolean during(Duration pause) throws InterruptedException;
}
