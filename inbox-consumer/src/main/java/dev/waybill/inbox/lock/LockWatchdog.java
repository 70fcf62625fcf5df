package dev.waybill.inbox.lock;

import dev.waybill.supervision.SupervisedLoop;
import dev.waybill.supervision.Traces;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks all workers of a consumer once per turn. */
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
        works.forEach(LockWatchdog::check);
        return TICK;
    }

    // A failure of one worker must not stop the renewals of the others.
    private static void check(InFlightWork work) {
        try {
            work.check();
        } catch (Throwable e) {
            TRACES.warn(LOG, "A lock could not be renewed", e);
        }
    }
}
