package dev.waybill.supervision;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs a recurring failure once for each root cause, and once at its end with duration and count. Repeats are at DEBUG with
 * their stack traces. A defect of the program has its stack trace once for each cause. Thread-safe.
 *
 * <p>A fault that returns within 30 s with a known cause is logged again only if it lasts 10 s. A fault that comes and goes is
 * logged every five minutes. The line at the end sums up all failures since the last such line.
 */
public final class Fault {
    /** A failure within this time after the end belongs to the same fault. */
    private static final Duration RELAPSE = Duration.ofSeconds(30);

    /** A returned fault is logged after this time. */
    private static final Duration LASTING = Duration.ofSeconds(10);

    /** The time between log lines about a fault that comes and goes. */
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
    private volatile boolean inOutage;
    private volatile boolean failing;
    private boolean logged;
    /** The first failure that no log line has ended. */
    private long since;

    private int spells;
    private long spent;
    private long startedAt;
    private long lastFailedAt;
    private @Nullable Long recoveredAt;
    private @Nullable Long endedAt;
    private long loggedAt;
    private long count;
    private String last = "";

    /** Logs at WARN, and ends with the first success. */
    public Fault(Logger log, LongSupplier nanos) {
        this(log, nanos, false, Duration.ZERO);
    }

    private Fault(Logger log, LongSupplier nanos, boolean severe, Duration calm) {
        this.log = log;
        this.nanos = nanos;
        this.severe = severe;
        this.calm = calm;
    }

    /** Logs at ERROR. */
    public static Fault severe(Logger log, LongSupplier nanos) {
        return new Fault(log, nanos, true, Duration.ZERO);
    }

    /** Ends after {@code calm} without a failure, for faults during which successes and failures alternate. */
    public static Fault intermittent(Duration calm, Logger log, LongSupplier nanos) {
        return new Fault(log, nanos, false, calm);
    }

    /** Lets a shared outage log failures of the database. If {@code waitedFor}, it lasts until this loop works again. */
    public synchronized void share(Outage shared, boolean waitedFor) {
        outage = shared;
        essential = waitedFor;
    }

    /** Counts a failure; {@code consequence} begins the log line with what does not work. */
    public void failed(String consequence, Throwable failure) {
        @Nullable Outage shared = outage;
        if (shared != null && shared.covers(failure, essential)) {
            log.debug("{}", consequence, failure);
            shared.failed(this, essential, RootCause.of(failure));
            inOutage = true;
            return;
        }
        failed(consequence, RootCause.of(failure), failure);
    }

    /** As {@link #failed(String, Throwable)}, with the cause in words. */
    public void failed(String consequence, String why) {
        failed(consequence, why, null);
    }

    /** Ends the fault; {@code relief} begins the log line with what works again. */
    public void recovered(String relief) {
        @Nullable Outage shared = outage;
        if (shared != null && inOutage) {
            inOutage = shared.isStill(this);
        }
        end(relief);
    }

    /** Returns whether the fault lasts. */
    boolean isStill(String relief) {
        end(relief);
        return failing;
    }

    private synchronized void failed(String consequence, String why, @Nullable Throwable failure) {
        long now = nanos.getAsLong();
        boolean known = !begin(now, why);
        count++;
        last = why;
        lastFailedAt = now;
        recoveredAt = null;
        if (known && !isReminderDue(now)) {
            log.debug("{}: {} (seen {} times)", consequence, why, count, failure);
            return;
        }
        try {
            log(consequence, why, failure);
        } catch (Throwable e) {
            // Not logged, so the next failure of this cause is logged.
            causes.remove(Traces.key(why));
            throw e;
        }
        logged = true;
        loggedAt = now;
    }

    /** Returns whether to log this failure. */
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
            logged = false;
            spells++;
            startedAt = now;
        }
        boolean lasts = !logged && now - startedAt >= LASTING.toNanos();
        return isNew(Traces.key(why)) || lasts;
    }

    // Drops the oldest cause, so that a new one is always logged.
    private boolean isNew(String cause) {
        if (!causes.add(cause)) {
            return false;
        }
        if (causes.size() > MOST_CAUSES) {
            causes.remove(causes.iterator().next());
        }
        return true;
    }

    private boolean isReminderDue(long now) {
        return !logged && now - loggedAt >= REMINDER.toNanos();
    }

    private void log(String consequence, String why, @Nullable Throwable failure) {
        boolean trace = failure != null && traces.needsTrace(failure, why);
        if (severe || failure instanceof Error) {
            log.error("{}: {}", consequence, why, trace ? failure : null);
        } else {
            log.warn("{}: {}", consequence, why, trace ? failure : null);
        }
    }

    // Runs after every turn, and is nearly always false.
    private void end(String relief) {
        if (failing) {
            endIfCalm(relief);
        }
    }

    private synchronized void endIfCalm(String relief) {
        long now = nanos.getAsLong();
        if (recoveredAt == null) {
            recoveredAt = now;
        }
        if (now - lastFailedAt < calm.toNanos()) {
            return;
        }
        spent += recoveredAt - startedAt;
        if (logged) {
            String often =
                    spells == 1 ? "" : " (it came " + spells + " times within " + seconds(recoveredAt - since) + " s)";
            log.info("{} after {} s; it failed {} times, last: {}{}", relief, seconds(spent), count, last, often);
            spells = 0;
        }
        failing = false;
        logged = false;
        endedAt = now;
    }

    private static String seconds(long nanos) {
        var length = Duration.ofNanos(nanos);
        return length.toSeconds() + "." + length.toMillisPart() / 100;
    }
}
