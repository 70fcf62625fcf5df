package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Refused;

/**
 * The operations that the namespace may do in a second. A client that asks for more is told that the server is
 * busy, and it is not done. An operation may begin while there is any credit left, and what it costs beyond that
 * is paid back by later seconds. Confined to the broker's thread.
 */
public final class Credits {
    private static final double MILLIS_PER_SECOND = 1_000;

    private final BrokerClock clock;
    private final int perSecond;
    private double left;
    private long counted;

    /** So many in each second of the broker's time line; 0 means without limit. */
    public Credits(BrokerClock clock, int perSecond) {
        this.clock = clock;
        this.perSecond = perSecond;
        this.left = perSecond;
        this.counted = clock.now();
    }

    /** Refuses if there is none left; spends so many otherwise. */
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
