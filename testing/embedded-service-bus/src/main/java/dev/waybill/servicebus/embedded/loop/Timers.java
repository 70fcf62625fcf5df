package dev.waybill.servicebus.embedded.loop;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tasks with due times on one time line, run in order. For the loop's thread. */
public final class Timers {
    private final LongSupplier clock;
    private final TreeSet<Timer> pending =
            new TreeSet<>(Comparator.comparingLong((Timer t) -> t.due).thenComparingLong(t -> t.ordinal));
    private long ordinals;

    Timers(LongSupplier clock) {
        this.clock = clock;
    }

    /** Runs a task once, at or soon after the given time. */
    public Timer at(long due, Runnable task) {
        Timer timer = new Timer(this, due, ordinals++, task);
        pending.add(timer);
        return timer;
    }

    public Timer in(long millis, Runnable task) {
        return at(clock.getAsLong() + millis, task);
    }

    public long now() {
        return clock.getAsLong();
    }

    /** Null if no timer is due. */
    @Nullable Timer pollDue() {
        if (pending.isEmpty() || pending.first().due > clock.getAsLong()) {
            return null;
        }
        return pending.pollFirst();
    }

    /** Excludes timers set after {@link #mark()}, so that a timer that resets itself blocks no other. */
    @Nullable Timer pollDue(long mark) {
        return pending.isEmpty() || pending.first().ordinal >= mark ? null : pollDue();
    }

    long mark() {
        return ordinals;
    }

    /** {@link BrokerClock#NEVER} without a timer. */
    long next() {
        return pending.isEmpty() ? BrokerClock.NEVER : pending.first().due;
    }

    /** 0 if one is due, {@link Long#MAX_VALUE} without a timer. */
    long untilNext() {
        return pending.isEmpty() ? Long.MAX_VALUE : Math.max(0, pending.first().due - clock.getAsLong());
    }

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

        /** Has no effect after the task has run. */
        public void cancel() {
            owner.pending.remove(this);
        }

        public long due() {
            return due;
        }

        void run() {
            task.run();
        }
    }
}
