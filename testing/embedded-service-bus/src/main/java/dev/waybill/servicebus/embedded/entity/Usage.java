package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** When an entity was created, changed and used, and its deletion when it is not used for long. */
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

    /** From now on the entity is deleted once it has been idle for so long. */
    void deleteWhenIdle(Supplier<Duration> patience, BooleanSupplier inUse, Runnable delete) {
        idle = new IdleWatch(context, patience, inUse, delete);
    }

    /** It is sent to, or a receiver comes or goes. */
    void accessed() {
        used();
        times = new EntityTimes(times.created(), times.updated(), wallTime());
    }

    /** Its settings have changed. */
    void updated() {
        used();
        times = new EntityTimes(times.created(), wallTime(), times.accessed());
    }

    /** Tells of every use. */
    void whenUsed(Runnable told) {
        alsoUsed = told;
    }

    /** It is not idle. */
    void used() {
        alsoUsed.run();
        if (idle != null) {
            idle.used();
        }
    }

    /** The entity is gone. */
    void end() {
        if (idle != null) {
            idle.end();
        }
    }

    private Instant wallTime() {
        return Instant.ofEpochMilli(context.clock().wallMillis());
    }
}
