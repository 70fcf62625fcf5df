package dev.waybill.inbox.event;

import dev.waybill.supervision.RateLimitedLog;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs how many messages went into holds and left them, at most once a minute. Thread-safe. */
public final class HoldCount {
    private static final Logger LOG = LoggerFactory.getLogger(HoldCount.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final String consumer;
    private final RateLimitedLog begun = new RateLimitedLog(LOG, true, INTERVAL, System::nanoTime);
    private final RateLimitedLog ended = new RateLimitedLog(LOG, false, INTERVAL, System::nanoTime);

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
    public void log() {
        add(0, 0);
    }

    private void add(int more, int less) {
        begun.log(more, "Consumer '" + consumer + "': {} messages were put on hold", "");
        ended.log(less, "Consumer '" + consumer + "': {} messages that were on hold are handled", "");
    }
}
