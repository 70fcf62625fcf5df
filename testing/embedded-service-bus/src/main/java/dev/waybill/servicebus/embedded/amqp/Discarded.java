package dev.waybill.servicebus.embedded.amqp;

import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;

/** Discards what a client sends on a closed link; the protocol engine would keep it. */
final class Discarded {
    private Discarded() {}

    /** Returns the number of discarded deliveries. */
    static int from(Link link) {
        int count = 0;
        if (link instanceof Receiver receiver) {
            for (Delivery delivery = receiver.current(); delivery != null; delivery = receiver.current()) {
                receiver.recv();
                if (delivery.isPartial() && !delivery.isAborted()) {
                    break;
                }
                receiver.advance();
                count++;
            }
        }
        return count;
    }
}
