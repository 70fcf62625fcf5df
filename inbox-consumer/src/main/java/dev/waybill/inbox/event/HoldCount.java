package dev.waybill.inbox.event;

import dev.waybill.inbox.InboundMessage;
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

    void held(InboundMessage message) {
        begun(
                1,
                "; the last: '" + message.id() + "'"
                        + message.session().map(s -> " of session '" + s + "'").orElse(""));
    }

    public void handled() {
        ended(1);
    }

    /** Logs a pending count if it is due. */
    public void log() {
        begun(0, "");
        ended(0);
    }

    private void begun(int messages, String last) {
        begun.log(messages, "Consumer '" + consumer + "': {} messages were put on hold", last);
    }

    private void ended(int messages) {
        ended.log(messages, "Consumer '" + consumer + "': {} messages that were on hold are handled", "");
    }
}
