package dev.waybill.relay;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has to be done now and then and by any one relay: turn the rings, look whether the history still fits. */
final class Housekeeping {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final OutboxHistory history;
    private final List<Runnable> tasks;

    /** @param tasks taken in this order while the history fits */
    Housekeeping(OutboxHistory history, List<Runnable> tasks) {
        this.history = history;
        this.tasks = List.copyOf(tasks);
    }

    Duration step() {
        try {
            history.require();
            tasks.forEach(Runnable::run);
        } catch (HistoryChangedException e) {
            LOG.error(e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("Housekeeping failed and is tried again in {}", INTERVAL, e);
        }
        return INTERVAL;
    }
}
