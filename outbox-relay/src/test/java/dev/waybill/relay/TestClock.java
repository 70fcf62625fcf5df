package dev.waybill.relay;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that the test moves. */
final class TestClock implements LongSupplier {
    private final AtomicLong nanos = new AtomicLong(1);

    void advanceMillis(long millis) {
        nanos.addAndGet(millis * 1_000_000);
    }

    @Override
    public long getAsLong() {
        return nanos.get();
    }
}
