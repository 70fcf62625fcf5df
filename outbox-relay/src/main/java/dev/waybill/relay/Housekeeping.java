package dev.waybill.relay;

import dev.waybill.supervision.Fault;
import java.time.Duration;
import java.util.List;
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

    private final OutboxHistory history;
    private final List<Runnable> tasks;
    private final Runnable emptying;
    private long lastDrawn = UNKNOWN;
    private int quietRounds;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private final Fault halted = Fault.severe(LOG, System::nanoTime);

    /**
     * A housekeeping that has done nothing yet.
     *
     * @param tasks taken in this order while the history fits
     * @param emptying taken alone some times more after the last message
     */
    Housekeeping(OutboxHistory history, List<Runnable> tasks, Runnable emptying) {
        this.history = history;
        this.tasks = List.copyOf(tasks);
        this.emptying = emptying;
    }

    /** The failures of its steps. */
    Fault fault() {
        return fault;
    }

    Duration step() {
        try {
            long drawn = history.require().drawn();
            quietRounds = drawn == lastDrawn ? quietRounds + 1 : 0;
            lastDrawn = drawn;
            if (quietRounds % MOST_QUIET_ROUNDS == 0) {
                tasks.forEach(Runnable::run);
            } else if (quietRounds <= ROUNDS_AFTER) {
                emptying.run();
            }
            fault.over("Housekeeping works again");
            halted.over("Housekeeping goes on");
        } catch (HistoryChangedException e) {
            halted.met("Housekeeping stands still", String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            lastDrawn = UNKNOWN;
            fault.met("Housekeeping failed and is tried again every " + INTERVAL.toSeconds() + " s", e);
        }
        return INTERVAL;
    }
}
