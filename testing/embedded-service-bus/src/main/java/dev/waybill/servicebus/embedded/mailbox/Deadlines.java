package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** Items with deadlines, each reported when it expires. Adding and removing cost O(log n). */
public final class Deadlines<T> {
    private final TreeSet<T> byDeadline;
    private final ToLongFunction<T> deadline;
    private final Consumer<T> over;
    private final BrokerClock clock;
    private final Alarm alarm;

    /** An item's deadline and number must not change while it is here. */
    public Deadlines(EventLoop loop, ToLongFunction<T> deadline, ToLongFunction<T> number, Consumer<T> over) {
        this.byDeadline = new TreeSet<>(Comparator.comparingLong(deadline).thenComparingLong(number));
        this.deadline = deadline;
        this.over = over;
        this.clock = loop.clock();
        this.alarm = new Alarm(loop.deadlines(), this::sweep);
    }

    public void add(T thing) {
        long due = deadline.applyAsLong(thing);
        if (due != BrokerClock.NEVER) {
            byDeadline.add(thing);
            alarm.set(due);
        }
    }

    void remove(T thing) {
        if (deadline.applyAsLong(thing) != BrokerClock.NEVER) {
            byDeadline.remove(thing);
        }
    }

    int size() {
        return byDeadline.size();
    }

    public void clear() {
        byDeadline.clear();
        alarm.cancel();
    }

    private void sweep() {
        long now = clock.now();
        try {
            while (!byDeadline.isEmpty() && deadline.applyAsLong(byDeadline.first()) <= now) {
                over.accept(byDeadline.pollFirst());
            }
        } finally {
            // A failing item must not block later ones.
            if (!byDeadline.isEmpty()) {
                alarm.set(deadline.applyAsLong(byDeadline.first()));
            }
        }
    }
}
