package dev.waybill.servicebus.embedded.amqp;

import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;

/**
 * How much one connection's client has sent of messages whose end has not come yet, over all of its links. Each link has
 * a limit of its own; a client can attach as many as it likes.
 */
final class HalfReceived {
    private static final long LEAST_ROOM = 32L * 1024 * 1024;

    private final long room;
    private final Map<Link, Integer> byLink = new HashMap<>();
    private long total;

    /** With room for some messages of the largest size at once. */
    HalfReceived(int largestMessage) {
        this.room = Math.max(LEAST_ROOM, 2L * largestMessage);
    }

    /** Looks at what is left of a delivery after it was handled; false if all that there is together is too much. */
    boolean fits(Delivery delivery) {
        if (delivery.isPartial() && delivery.pending() > 0) {
            Integer before = byLink.put(delivery.getLink(), delivery.pending());
            total += delivery.pending() - (before == null ? 0 : before);
        } else {
            forget(delivery.getLink());
        }
        return total <= room;
    }

    void forget(Link link) {
        Integer before = byLink.remove(link);
        total -= before == null ? 0 : before;
    }
}
