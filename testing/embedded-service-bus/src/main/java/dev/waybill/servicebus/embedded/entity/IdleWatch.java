package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Alarm;
import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Deletes an entity that was idle for its configured time. */
final class IdleWatch {
    private final BrokerClock clock;
    private final Alarm alarm;
    private final Supplier<Duration> patience;
    private final BooleanSupplier inUse;
    private final Runnable delete;
    private long usedAt;

    IdleWatch(BrokerContext context, Supplier<Duration> patience, BooleanSupplier inUse, Runnable delete) {
        this.clock = context.clock();
        this.alarm = new Alarm(context.loop().deadlines(), this::look);
        this.patience = patience;
        this.inUse = inUse;
        this.delete = delete;
        used();
    }

    /** The entity was used, or its idle time changed. */
    void used() {
        usedAt(clock.now());
    }

    private void usedAt(long moment) {
        usedAt = moment;
        alarm.set(BrokerClock.plus(moment, patience.get()));
    }

    private void look() {
        long due = BrokerClock.plus(usedAt, patience.get());
        if (inUse.getAsBoolean()) {
            // During an advance of time, a receiver stays to its end, or reports that it leaves.
            usedAt(clock.destination());
        } else if (due > clock.now()) {
            alarm.set(due);
        } else {
            delete.run();
        }
    }

    void end() {
        alarm.cancel();
    }
}
