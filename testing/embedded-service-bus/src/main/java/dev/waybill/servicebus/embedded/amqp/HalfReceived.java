package dev.waybill.servicebus.embedded.amqp;

import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;

/**
 * Bytes of unfinished messages over all links of a connection. Each link has its own limit, but a client may attach any number of
 * links.
 */
final class HalfReceived {
    private static final long LEAST_ROOM = 32L * 1024 * 1024;

    private final long room;
    private final Map<Link, Integer> byLink = new HashMap<>();
    private long total;

    /** The limit allows several messages of the largest size. */
    HalfReceived(int largestMessage) {
        this.room = Math.max(LEAST_ROOM, 2L * largestMessage);
    }

    /** Updates the count after a delivery was handled; false if the limit is exceeded. */
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
