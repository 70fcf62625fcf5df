package dev.waybill.relay.loop;

import dev.waybill.hold.Cause;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.send.Breaker;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.RateLimitedLog;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failures of a destination's sends, and counts of held and released messages. Confined to the loop's thread. */
final class SendLog {
    private static final Logger LOG = LoggerFactory.getLogger(SendLog.class);

    /** A throttling broker accepts some batches and rejects others. */
    private static final Duration CALM = Duration.ofSeconds(3);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final String destination;
    private final Fault sends = Fault.intermittent(CALM, LOG, System::nanoTime);
    private final RateLimitedLog held = new RateLimitedLog(LOG, true, INTERVAL, System::nanoTime);
    private final RateLimitedLog released = new RateLimitedLog(LOG, false, INTERVAL, System::nanoTime);
    private String lastRefused = "";

    /** Whether the last batch was accepted. */
    private boolean works;

    SendLog(String destination) {
        this.destination = destination;
    }

    /** {@link Refusals} logs destinations that refuse everything. */
    void sent(PublishResult result, Breaker breaker) {
        @Nullable Throwable failure = result.failure();
        switch (result.outcome()) {
            case UNAVAILABLE, UNEXPLAINED, THROTTLED -> {
                works = false;
                if (failure != null && breaker.refusal() == null) {
                    sends.failed(
                            "Not all messages to '" + destination + "' were accepted; they are sent again", failure);
                }
            }
            case ACCEPTED -> works = true;
            case MESSAGE_REFUSED, DESTINATION_REFUSED, NOT_SENT -> {}
        }
    }

    /** @param refused why the last refused message was refused; null if messages only followed others */
    void held(long messages, @Nullable Cause refused) {
        if (refused != null) {
            lastRefused = "; last refused: " + refused.reason() + ": " + refused.description();
        }
        held.log(messages, "'" + destination + "': {} messages were put on hold", lastRefused);
    }

    void released(long messages) {
        released.log(messages, "'" + destination + "': {} messages that were on hold are sent", "");
    }

    /** After each turn: logs what is due. */
    void turn(Breaker breaker) {
        if (works && breaker.lastFailure() == null) {
            sends.recovered("'" + destination + "' accepts all messages again");
        }
        held(0, null);
        released(0);
    }
}
