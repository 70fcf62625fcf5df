package dev.waybill.servicebus.embedded.administration;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clients of administration that are connected, up to a limit. At the limit the one that has been waited for
 * the longest makes room for the next, so that connections which nobody uses shut nobody out. Thread-safe; one
 * thread admits.
 */
final class Conversations {
    private final int most;
    private final Set<HttpConversation> all = ConcurrentHashMap.newKeySet();

    Conversations(int most) {
        this.most = most;
    }

    /** Takes one in; false if there are too many, and all of them have requests that are being answered. */
    boolean admit(HttpConversation newcomer) {
        if (all.size() >= most && !makeRoom()) {
            return false;
        }
        all.add(newcomer);
        return true;
    }

    private boolean makeRoom() {
        long now = System.nanoTime();
        HttpConversation idlest = null;
        long longest = -1;
        for (HttpConversation one : all) {
            long waited = one.waitedFor(now);
            if (waited > longest) {
                idlest = one;
                longest = waited;
            }
        }
        if (idlest == null) {
            return false;
        }
        all.remove(idlest);
        idlest.close();
        return true;
    }

    void remove(HttpConversation ended) {
        all.remove(ended);
    }

    void closeAll() {
        all.forEach(HttpConversation::close);
    }
}
