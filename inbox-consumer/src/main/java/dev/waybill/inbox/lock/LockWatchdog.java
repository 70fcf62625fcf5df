package dev.waybill.inbox.lock;

import dev.waybill.supervision.SupervisedLoop;
import dev.waybill.supervision.Traces;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at all work of a consumer, in each turn once. */
public final class LockWatchdog implements SupervisedLoop.Turn {
    private static final Logger LOG = LoggerFactory.getLogger(LockWatchdog.class);
    private static final Traces TRACES = new Traces();
    private static final Duration TICK = Duration.ofMillis(50);

    private final List<InFlightWork> works;

    public LockWatchdog(List<InFlightWork> works) {
        this.works = works;
    }

    @Override
    public Duration take() {
        works.forEach(LockWatchdog::look);
        return TICK;
    }

    // Trouble with one must not keep the others' locks from being prolonged.
    private static void look(InFlightWork work) {
        try {
            work.look();
        } catch (Throwable e) {
            TRACES.warn(LOG, "A lock could not be prolonged", e);
        }
    }
}
