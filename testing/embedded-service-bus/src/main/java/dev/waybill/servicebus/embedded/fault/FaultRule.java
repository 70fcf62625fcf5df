package dev.waybill.servicebus.embedded.fault;

import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A rule being written: which events at a point it hits. Of the events that match entity, operation and condition it
 * lets the first {@link #after} pass, takes every {@link #every k-th} of the rest with the given {@link #probability},
 * and at most {@link #times} of them. Without any of these it hits every matching event. It comes into force with
 * {@link #then}. Used by one thread, once.
 */
public final class FaultRule {
    private final Faults faults;
    private final FaultPoint point;
    private final FaultHandle handle = new FaultHandle();
    private @Nullable String entity;
    private @Nullable String operation;
    private Predicate<FaultEvent> condition = event -> true;
    private @Nullable Consumer<FaultEvent> onHit;
    private int times = Integer.MAX_VALUE;
    private int every = 1;
    private int after;
    private double probability = 1;
    private int seen;
    private int hits;

    FaultRule(Faults faults, FaultPoint point) {
        this.faults = faults;
        this.point = point;
    }

    /** Only events of this entity; case does not matter. Default: of any. */
    public FaultRule entity(String path) {
        this.entity = path.toLowerCase(Locale.ROOT);
        return this;
    }

    /** Only this operation, for points that have operations. Default: any. */
    public FaultRule operation(String name) {
        this.operation = name;
        return this;
    }

    /** Only events for which the condition holds. It runs on the broker's thread and must be quick. */
    public FaultRule when(Predicate<FaultEvent> condition) {
        this.condition = this.condition.and(condition);
        return this;
    }

    /** Only events that concern this session. */
    public FaultRule session(String sessionId) {
        return when(event -> sessionId.equals(event.sessionId()));
    }

    /** Only events that concern this message. */
    public FaultRule message(String messageId) {
        return when(event -> event.messageIds().contains(messageId));
    }

    /** At most this many hits. Default: no limit. */
    public FaultRule times(int limit) {
        this.times = positive(limit);
        return this;
    }

    /** Every k-th matching event. Default: 1. */
    public FaultRule every(int k) {
        this.every = positive(k);
        return this;
    }

    /** Lets this many matching events pass first. Default: 0. */
    public FaultRule after(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("Cannot pass over " + count + " events");
        }
        this.after = count;
        return this;
    }

    /** Hits with this probability, between 0 and 1, drawn from the broker's fault seed. Default: 1. */
    public FaultRule probability(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException("Not a probability: " + p);
        }
        this.probability = p;
        return this;
    }

    /**
     * Told of every hit on a thread of its own, never the broker's, which may act at the same time: to kill a process
     * at the very moment, for example. Calls come one after another.
     */
    public FaultRule onHit(Consumer<FaultEvent> listener) {
        this.onHit = listener;
        return this;
    }

    /** Puts the rule in force. */
    public FaultHandle then(FaultAction action) {
        faults.add(this, action);
        return handle;
    }

    private static int positive(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("Must be at least 1: " + value);
        }
        return value;
    }

    FaultPoint point() {
        return point;
    }

    void cancel() {
        handle.cancel();
    }

    boolean spent() {
        return handle.cancelled() || hits >= times;
    }

    boolean matches(FaultEvent event) {
        return (entity == null || entity.equals(event.entity().toLowerCase(Locale.ROOT)))
                && (operation == null || operation.equals(event.operation()))
                && condition.test(event);
    }

    boolean chooses(RandomGenerator random) {
        int ordinal = ++seen;
        return ordinal > after
                && (ordinal - after) % every == 0
                && (probability >= 1 || random.nextDouble() < probability);
    }

    void hit(FaultEvent event, Executor listeners) {
        hits++;
        handle.record(event);
        Consumer<FaultEvent> listener = onHit;
        if (listener != null) {
            listeners.execute(() -> listener.accept(event));
        }
    }
}
