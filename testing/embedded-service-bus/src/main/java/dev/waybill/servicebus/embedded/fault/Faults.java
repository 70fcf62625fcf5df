package dev.waybill.servicebus.embedded.fault;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The fault rules of one broker. Any thread may add and end rules; events occur on the broker's thread. */
public final class Faults {
    private final List<InForce> rules = new CopyOnWriteArrayList<>();
    private final long seed;
    private final Executor listeners;
    private int ordinal;

    /**
     * For the broker.
     *
     * @param seed of choices by probability
     * @param listeners runs the rules' listeners in order
     */
    public Faults(long seed, Executor listeners) {
        this.seed = seed;
        this.listeners = listeners;
    }

    /** Starts a rule for a point. */
    public FaultRule at(FaultPoint point) {
        return new FaultRule(this, point);
    }

    /** Ends every rule. */
    public void clear() {
        rules.forEach(rule -> rule.rule.cancel());
        rules.clear();
    }

    /**
     * For the broker.
     *
     * @param event evaluated only if a rule is in force at the point
     * @return the fault to apply, or null
     */
    public @Nullable FaultAction at(FaultPoint point, Supplier<FaultEvent> event) {
        if (rules.isEmpty()) {
            return null;
        }
        FaultEvent happening = null;
        for (InForce rule : rules) {
            if (rule.rule.point() == point) {
                happening = happening == null ? event.get() : happening;
                if (rule.takes(happening)) {
                    rule.rule.hit(happening, listeners);
                    return rule.action;
                }
            }
        }
        return null;
    }

    synchronized void add(FaultRule rule, FaultAction action) {
        rules.removeIf(old -> old.rule.spent());
        rules.add(new InForce(rule, action, new SplittableRandom(seed + 0x9E3779B97F4A7C15L * ordinal++)));
    }

    private record InForce(FaultRule rule, FaultAction action, SplittableRandom random) {
        boolean takes(FaultEvent event) {
            return !rule.spent() && rule.matches(event) && rule.chooses(random);
        }
    }
}
