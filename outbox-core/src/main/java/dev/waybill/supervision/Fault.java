package dev.waybill.supervision;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Something that fails again and again until it works: told in one line with its root cause, once more for each other cause,
 * and at its end with its length. Repeats are counted, and told at DEBUG with their stack traces. A failure that is the
 * program's own fault has its stack trace once for each cause. Thread-safe.
 *
 * <p>A fault that comes back soon with a cause that was told is told only if it lasts; one that comes and goes for long is
 * told every few minutes. The line at the end tells of everything since the last such line: how long it did not work in all,
 * and, if it came more than once, how often within which time.
 */
public final class Fault {
    /** One that comes back sooner is the same one. */
    private static final Duration RELAPSE = Duration.ofSeconds(30);

    /** One that has come back is told when it has lasted so long. */
    private static final Duration UNTOLD = Duration.ofSeconds(10);

    /** Between two lines about a fault that comes and goes. */
    private static final Duration REMINDER = Duration.ofMinutes(5);

    private static final int MOST_CAUSES = 16;

    private final Logger log;
    private final LongSupplier nanos;
    private final boolean severe;
    private final Duration calm;
    private final Set<String> causes = new LinkedHashSet<>();
    private final Traces traces = new Traces();
    private volatile @Nullable Outage outage;
    private boolean essential;
    private volatile boolean away;
    private volatile boolean failing;
    private boolean told;
    /** The first failure of which no end has told. */
    private long since;

    private int spells;
    private long spent;
    private long begunAt;
    private long lastMet;
    private @Nullable Long well;
    private @Nullable Long endedAt;
    private long toldAt;
    private long count;
    private String last = "";

    /** Told at WARN, and over with the first success. */
    public Fault(Logger log, LongSupplier nanos) {
        this(log, nanos, false, Duration.ZERO);
    }

    private Fault(Logger log, LongSupplier nanos, boolean severe, Duration calm) {
        this.log = log;
        this.nanos = nanos;
        this.severe = severe;
        this.calm = calm;
    }

    /** One that is told at ERROR. */
    public static Fault severe(Logger log, LongSupplier nanos) {
        return new Fault(log, nanos, true, Duration.ZERO);
    }

    /** One that is over when nothing has failed for so long, because successes and failures alternate while it lasts. */
    public static Fault over(Duration calm, Logger log, LongSupplier nanos) {
        return new Fault(log, nanos, false, calm);
    }

    /**
     * Lets failures of the database be told by the outage, once for all that share it.
     *
     * @param waitedFor whether the outage lasts until this one has worked again; false for what tries too rarely
     */
    public synchronized void share(Outage shared, boolean waitedFor) {
        outage = shared;
        essential = waitedFor;
    }

    /**
     * It has failed.
     *
     * @param consequence what does not work meanwhile, as the beginning of a sentence
     */
    public void met(String consequence, Throwable failure) {
        @Nullable Outage shared = outage;
        if (shared != null && shared.takes(failure, essential)) {
            log.debug("{}", consequence, failure);
            shared.met(this, essential, RootCause.of(failure));
            away = true;
            return;
        }
        met(consequence, RootCause.of(failure), failure);
    }

    /** The same with a cause in words. */
    public void met(String consequence, String why) {
        met(consequence, why, null);
    }

    /**
     * It has worked.
     *
     * @param relief what works again, as the beginning of a sentence; told only if it had failed
     */
    public void over(String relief) {
        @Nullable Outage shared = outage;
        if (shared != null && away) {
            away = shared.isStill(this);
        }
        end(relief);
    }

    /** As {@link #over}; returns whether it still lasts. */
    boolean isStill(String relief) {
        end(relief);
        return failing;
    }

    private synchronized void met(String consequence, String why, @Nullable Throwable failure) {
        long now = nanos.getAsLong();
        boolean known = !begin(now, why);
        count++;
        last = why;
        lastMet = now;
        well = null;
        if (known && !isToBeReminded(now)) {
            log.debug("{}: {} (seen {} times)", consequence, why, count, failure);
            return;
        }
        try {
            tell(consequence, why, failure);
        } catch (Throwable e) {
            // Not told: the next failure of this cause is to be told again.
            causes.remove(Traces.key(why));
            throw e;
        }
        told = true;
        toldAt = now;
    }

    /** Returns whether this is to be told. */
    private boolean begin(long now, String why) {
        if (!failing) {
            boolean relapse = endedAt != null && now - endedAt < RELAPSE.toNanos();
            if (!relapse) {
                causes.clear();
            }
            if (!relapse || spells == 0) {
                since = now;
                spells = 0;
                spent = 0;
                count = 0;
            }
            failing = true;
            told = false;
            spells++;
            begunAt = now;
        }
        boolean lasts = !told && now - begunAt >= UNTOLD.toNanos();
        return isNew(Traces.key(why)) || lasts;
    }

    // The oldest goes for a new one: whatever comes after many others is told too.
    private boolean isNew(String cause) {
        if (!causes.add(cause)) {
            return false;
        }
        if (causes.size() > MOST_CAUSES) {
            causes.remove(causes.iterator().next());
        }
        return true;
    }

    private boolean isToBeReminded(long now) {
        return !told && now - toldAt >= REMINDER.toNanos();
    }

    private void tell(String consequence, String why, @Nullable Throwable failure) {
        boolean trace = failure != null && traces.isWorthIt(failure, why);
        if (severe || failure instanceof Error) {
            log.error("{}: {}", consequence, why, trace ? failure : null);
        } else {
            log.warn("{}: {}", consequence, why, trace ? failure : null);
        }
    }

    // Asked after every turn, and as good as never true.
    private void end(String relief) {
        if (failing) {
            ended(relief);
        }
    }

    private synchronized void ended(String relief) {
        long now = nanos.getAsLong();
        if (well == null) {
            well = now;
        }
        if (now - lastMet < calm.toNanos()) {
            return;
        }
        spent += well - begunAt;
        if (told) {
            String often = spells == 1 ? "" : " (it came " + spells + " times within " + seconds(well - since) + " s)";
            log.info("{} after {} s; it failed {} times, last: {}{}", relief, seconds(spent), count, last, often);
            spells = 0;
        }
        failing = false;
        told = false;
        endedAt = now;
    }

    private static String seconds(long nanos) {
        var length = Duration.ofNanos(nanos);
        return length.toSeconds() + "." + length.toMillisPart() / 100;
    }
}
