package dev.waybill.servicebus.embedded.amqp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.proton.engine.Sender;

/**
 * Receivers whose client reads slower than it grants credit. Further messages would only fill the protocol engine's memory, so these
 * receivers wait.
 */
final class Unread {
    private static final int MOST_BYTES = 1024 * 1024;

    private final Map<Sender, Runnable> waiting = new LinkedHashMap<>();

    /** Whether the link must wait; if so, {@code resume} runs later. */
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
