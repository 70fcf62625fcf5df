package dev.waybill.relay.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that the test moves. */
public final class HandClock implements LongSupplier {
    private final AtomicLong nanos = new AtomicLong(1);

    public void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public long getAsLong() {
        return nanos.get();
    }
}
