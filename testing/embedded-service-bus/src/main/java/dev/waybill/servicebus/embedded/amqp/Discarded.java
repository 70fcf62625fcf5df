package dev.waybill.servicebus.embedded.amqp;

import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;

/** Throws away what a client sends over a link that nobody listens to any more: the protocol engine would keep it. */
final class Discarded {
    private Discarded() {}

    /** Throws away what has arrived over a link and was not read; tells how many deliveries that were. */
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
