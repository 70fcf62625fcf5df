package dev.waybill.inbox.event;

import dev.waybill.supervision.Tally;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs how many messages went into holds and left them, at most once a minute. Thread-safe. */
public final class HoldCount {
    private static final Logger LOG = LoggerFactory.getLogger(HoldCount.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final String consumer;
    private final Tally begun = new Tally(LOG, true, INTERVAL, System::nanoTime);
    private final Tally ended = new Tally(LOG, false, INTERVAL, System::nanoTime);

    public HoldCount(String consumer) {
        this.consumer = consumer;
    }

    void held() {
        add(1, 0);
    }

    public void handled() {
        add(0, 1);
    }

    /** Logs a pending count if it is due. */
    public void tell() {
        add(0, 0);
    }

    private void add(int more, int less) {
        begun.add(more, "Consumer '" + consumer + "': {} messages were put on hold", "");
        ended.add(less, "Consumer '" + consumer + "': {} messages that were on hold are handled", "");
    }
}
