package dev.waybill.relay;

import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RootCause;
import java.time.Duration;
import java.util.List;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work for any one relay from time to time: turns the rings, checks whether the history still fits. */
final class Housekeeping {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    /** The last message that came has been published by then, and its partition may go. */
    private static final int ROUNDS_AFTER = 3;

    /** Where no message has come for longer there is little to tidy up. */
    private static final int MOST_QUIET_ROUNDS = 6;

    private static final long UNKNOWN = -1;

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final OutboxHistory history;
    private final List<Runnable> tasks;
    private final List<Runnable> emptying;
    private final Trouble trouble;
    private long lastDrawn = UNKNOWN;
    private int quietRounds;
    private boolean waited;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private final Fault halted = Fault.severe(LOG, System::nanoTime);

    /**
     * A housekeeping that has done nothing yet.
     *
     * @param tasks taken in this order while the history fits; one that fails keeps none of the others from its turn
     * @param emptying those taken some times more after the last message
     * @param trouble told what does not work, for the alarm
     */
    Housekeeping(OutboxHistory history, List<Runnable> tasks, List<Runnable> emptying, Trouble trouble) {
        this.history = history;
        this.tasks = List.copyOf(tasks);
        this.emptying = List.copyOf(emptying);
        this.trouble = trouble;
    }

    /** The failures of its steps. */
    Fault fault() {
        return fault;
    }

    Duration step() {
        try {
            long drawn = history.requireInTransaction().drawn();
            quietRounds = drawn == lastDrawn ? quietRounds + 1 : 0;
            lastDrawn = drawn;
            tidyUp();
            halted.over("Housekeeping goes on");
        } catch (HistoryChangedException e) {
            halted.met("Housekeeping stands still", String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            failed(e);
        }
        return INTERVAL;
    }

    private void tidyUp() {
        if (quietRounds % MOST_QUIET_ROUNDS == 0) {
            takeEach(tasks);
        } else if (quietRounds <= ROUNDS_AFTER) {
            takeEach(emptying);
        }
    }

    private void takeEach(List<Runnable> chosen) {
        @Nullable RuntimeException first = null;
        for (Runnable task : chosen) {
            @Nullable RuntimeException failure = failureOf(task);
            first = first == null ? failure : first;
            if (failure != null && DueFailures.isOfAll(failure)) {
                break;
            }
        }
        if (first == null) {
            waited = false;
            trouble.over();
            fault.over("Housekeeping works again");
        } else {
            failed(first);
        }
    }

    private static @Nullable RuntimeException failureOf(Runnable task) {
        try {
            task.run();
            return null;
        } catch (RuntimeException e) {
            LOG.debug("A task of the housekeeping failed", e);
            return e;
        }
    }

    // A lock that somebody has for a moment is no trouble yet, nor is an outage, of which the loops tell.
    private void failed(RuntimeException failure) {
        lastDrawn = UNKNOWN;
        boolean waits = RootCause.isOutage(failure)
                || (failure instanceof DataAccessException e && LOCK_NOT_AVAILABLE.equals(e.sqlState()));
        if (!waits || waited) {
            trouble.met("housekeeping: " + RootCause.of(failure));
        }
        waited = waits;
        fault.met("Housekeeping failed and is tried again every " + INTERVAL.toSeconds() + " s", failure);
    }
}
