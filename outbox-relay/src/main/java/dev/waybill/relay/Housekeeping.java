package dev.waybill.relay;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has to be done now and then and by any one relay: turn the rings, look whether the history still fits. */
final class Housekeeping {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final List<Ring> rings;
    private final OutboxHistory history;

    Housekeeping(List<Ring> rings, OutboxHistory history) {
        this.rings = rings;
        this.history = history;
    }

    Duration step() {
        try {
            history.check();
            rings.forEach(Ring::turn);
        } catch (HistoryChangedException e) {
            LOG.error(e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("Housekeeping failed and is tried again in {}", INTERVAL, e);
        }
        return INTERVAL;
    }
}
