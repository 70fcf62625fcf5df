package dev.waybill.relay.loop;

import dev.waybill.hold.Cause;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.send.Breaker;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.Tally;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log tells of a destination's sends: troubles by their beginning and end, holds by number. Confined to the loop's thread. */
final class SendLog {
    private static final Logger LOG = LoggerFactory.getLogger(SendLog.class);

    /** A broker that throttles takes some batches and refuses others. */
    private static final Duration CALM = Duration.ofSeconds(3);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final String destination;
    private final Fault sends = Fault.over(CALM, LOG, System::nanoTime);
    private final Tally held = new Tally(LOG, true, INTERVAL, System::nanoTime);
    private final Tally released = new Tally(LOG, false, INTERVAL, System::nanoTime);
    private String lastRefused = "";

    /** Whether a batch was accepted after the last that was not. */
    private boolean works;

    SendLog(String destination) {
        this.destination = destination;
    }

    /** After a batch has come back. A destination that refuses everything is told by {@link Refusals}. */
    void sent(PublishResult result, Breaker breaker) {
        @Nullable Throwable failure = result.failure();
        switch (result.outcome()) {
            case UNAVAILABLE, THROTTLED -> {
                works = false;
                if (failure != null && breaker.refusal() == null) {
                    sends.met("Not all messages to '" + destination + "' were accepted; they are sent again", failure);
                }
            }
            case ACCEPTED -> works = true;
            case MESSAGE_REFUSED, DESTINATION_REFUSED, NOT_SENT -> {}
        }
    }

    /**
     * So many messages were put on hold.
     *
     * @param refused why the last of them was refused that does not only follow another one
     */
    void held(long messages, @Nullable Cause refused) {
        if (refused != null) {
            lastRefused = "; last refused: " + refused.reason() + ": " + refused.description();
        }
        held.add(messages, "'" + destination + "': {} messages were put on hold", lastRefused);
    }

    /** So many messages that were on hold are sent. */
    void released(long messages) {
        released.add(messages, "'" + destination + "': {} messages that were on hold are sent", "");
    }

    /** After each turn: tells what waits for its time. */
    void turn(Breaker breaker) {
        if (works && breaker.trouble() == null) {
            sends.over("'" + destination + "' accepts all messages again");
        }
        held(0, null);
        released(0);
    }
}
