package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.loop.Timers;
import org.jspecify.annotations.Nullable;

/** One timer for many deadlines: set to the nearest, it wakes its owner, which processes those due and sets it again. */
public final class Alarm {
    private final Timers timers;
    private final Runnable wake;
    private Timers.@Nullable Timer pending;

    public Alarm(Timers timers, Runnable wake) {
        this.timers = timers;
        this.wake = wake;
    }

    /** Wakes the owner at this time or earlier. */
    public void set(long due) {
        if (due == BrokerClock.NEVER || (pending != null && pending.due() <= due)) {
            return;
        }
        if (pending != null) {
            pending.cancel();
        }
        pending = timers.at(due, this::ring);
    }

    private void ring() {
        pending = null;
        wake.run();
    }

    public void cancel() {
        if (pending != null) {
            pending.cancel();
            pending = null;
        }
    }
}
