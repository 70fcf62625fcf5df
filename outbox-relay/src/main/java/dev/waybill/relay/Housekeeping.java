package dev.waybill.relay;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has to be done now and then and by any one relay: turn the rings, look whether the history still fits. */
final class Housekeeping {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    /** The last message that came has been published by then, and its partition may go. */
    private static final int ROUNDS_AFTER = 3;

    /** Where no message has come for longer there is little to tidy up. */
    private static final int MOST_QUIET_ROUNDS = 6;

    private final OutboxHistory history;
    private final List<Runnable> tasks;
    private long lastDrawn = -1;
    private int quietRounds;

    /** @param tasks taken in this order while the history fits */
    Housekeeping(OutboxHistory history, List<Runnable> tasks) {
        this.history = history;
        this.tasks = List.copyOf(tasks);
    }

    Duration step() {
        try {
            long drawn = history.require();
            quietRounds = drawn == lastDrawn ? quietRounds + 1 : 0;
            lastDrawn = drawn;
            if (quietRounds <= ROUNDS_AFTER || quietRounds % MOST_QUIET_ROUNDS == 0) {
                tasks.forEach(Runnable::run);
            }
        } catch (HistoryChangedException e) {
            LOG.error(e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("Housekeeping failed and is tried again in {}", INTERVAL, e);
        }
        return INTERVAL;
    }
}
