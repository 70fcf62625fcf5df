package dev.waybill.servicebus.embedded.loop;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tasks due at moments of one time line, run in order of their moments. Confined to the loop's thread. */
public final class Timers {
    private final LongSupplier clock;
    private final TreeSet<Timer> pending =
            new TreeSet<>(Comparator.comparingLong((Timer t) -> t.due).thenComparingLong(t -> t.ordinal));
    private long ordinals;

    Timers(LongSupplier clock) {
        this.clock = clock;
    }

    /** Runs a task once, at or soon after the given moment of this time line. */
    public Timer at(long due, Runnable task) {
        Timer timer = new Timer(this, due, ordinals++, task);
        pending.add(timer);
        return timer;
    }

    /** Runs a task once, this many milliseconds from now. */
    public Timer in(long millis, Runnable task) {
        return at(clock.getAsLong() + millis, task);
    }

    /** The present on this time line, in milliseconds. */
    public long now() {
        return clock.getAsLong();
    }

    /** Takes out the next timer that is due, or null. */
    @Nullable Timer pollDue() {
        if (pending.isEmpty() || pending.first().due > clock.getAsLong()) {
            return null;
        }
        return pending.pollFirst();
    }

    /** As {@link #pollDue()}, but none set since {@link #mark()}: a timer that sets itself anew holds up nobody. */
    @Nullable Timer pollDue(long mark) {
        return pending.isEmpty() || pending.first().ordinal >= mark ? null : pollDue();
    }

    /** Tells what is set by now from what is set later. */
    long mark() {
        return ordinals;
    }

    /** The moment of the next timer, {@link BrokerClock#NEVER} when there is none. */
    long next() {
        return pending.isEmpty() ? BrokerClock.NEVER : pending.first().due;
    }

    /** Milliseconds until the next timer, 0 when one is due, {@link Long#MAX_VALUE} when there is none. */
    long untilNext() {
        return pending.isEmpty() ? Long.MAX_VALUE : Math.max(0, pending.first().due - clock.getAsLong());
    }

    /** One pending task. */
    public static final class Timer {
        private final Timers owner;
        private final long due;
        private final long ordinal;
        private final Runnable task;

        private Timer(Timers owner, long due, long ordinal, Runnable task) {
            this.owner = owner;
            this.due = due;
            this.ordinal = ordinal;
            this.task = task;
        }

        /** Forgets the task; no effect once it has run. */
        public void cancel() {
            owner.pending.remove(this);
        }

        /** When the task falls due. */
        public long due() {
            return due;
        }

        void run() {
            task.run();
        }
    }
}
