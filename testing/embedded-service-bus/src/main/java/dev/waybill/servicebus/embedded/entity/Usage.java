package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An entity's times, and its deletion when idle. */
final class Usage {
    private final BrokerContext context;
    private EntityTimes times;
    private @Nullable IdleWatch idle;
    private Runnable alsoUsed = () -> {};

    Usage(BrokerContext context) {
        this.context = context;
        Instant now = wallTime();
        this.times = new EntityTimes(now, now, null);
    }

    EntityTimes times() {
        return times;
    }

    void deleteWhenIdle(Supplier<Duration> patience, BooleanSupplier inUse, Runnable delete) {
        idle = new IdleWatch(context, patience, inUse, delete);
    }

    void accessed() {
        used();
        times = new EntityTimes(times.created(), times.updated(), wallTime());
    }

    void updated() {
        used();
        times = new EntityTimes(times.created(), wallTime(), times.accessed());
    }

    void whenUsed(Runnable told) {
        alsoUsed = told;
    }

    void used() {
        alsoUsed.run();
        if (idle != null) {
            idle.used();
        }
    }

    void end() {
        if (idle != null) {
            idle.end();
        }
    }

    private Instant wallTime() {
        return Instant.ofEpochMilli(context.clock().wallMillis());
    }
}
