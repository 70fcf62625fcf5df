package dev.waybill.servicebus.embedded.amqp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.proton.engine.Sender;

/**
 * The receivers of one connection whose client does not read as fast as it has given credit. Further messages would
 * only fill the protocol engine's memory, so these receivers wait until the client has read.
 */
final class Unread {
    private static final int MOST_BYTES = 1024 * 1024;

    private final Map<Sender, Runnable> waiting = new LinkedHashMap<>();

    /** Whether a receiver's link has to wait; if so, this is run once it need not any more. */
    boolean holdsBack(Sender link, Runnable resume) {
        boolean full = isFull(link);
        if (full) {
            waiting.put(link, resume);
        }
        return full;
    }

    private static boolean isFull(Sender link) {
        return link.getSession().getOutgoingBytes() >= MOST_BYTES;
    }

    /** The client has read something, perhaps. */
    void written() {
        if (waiting.isEmpty()) {
            return;
        }
        Map<Sender, Runnable> before = new LinkedHashMap<>(waiting);
        before.forEach((link, resume) -> {
            if (!isFull(link)) {
                waiting.remove(link);
                resume.run();
            }
        });
    }

    void forget(Sender link) {
        waiting.remove(link);
    }
}
