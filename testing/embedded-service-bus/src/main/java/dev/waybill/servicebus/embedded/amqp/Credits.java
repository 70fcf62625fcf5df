package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Refused;

/**
 * The namespace's operations per second. Beyond them, clients get "server busy". An operation may start while any credit is left; later
 * seconds pay for the excess. For the broker's thread.
 */
public final class Credits {
    private static final double MILLIS_PER_SECOND = 1_000;

    private final BrokerClock clock;
    private final int perSecond;
    private double left;
    private long counted;

    /** Credits per second of broker time; 0 for no limit. */
    public Credits(BrokerClock clock, int perSecond) {
        this.clock = clock;
        this.perSecond = perSecond;
        this.left = perSecond;
        this.counted = clock.now();
    }

    /** Throws if no credit is left. */
    void spend(int count) {
        if (perSecond == 0) {
            return;
        }
        long now = clock.now();
        left = Math.min(perSecond, left + (now - counted) * perSecond / MILLIS_PER_SECOND);
        counted = now;
        if (left <= 0) {
            throw new Refused(
                    BrokerError.SERVER_BUSY,
                    "The request was terminated because the namespace is being throttled. Error code: 50009. Please wait 2"
                            + " seconds and try again.");
        }
        left -= count;
    }
}
