package dev.waybill.servicebus.embedded.administration;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connected administration clients, up to a limit. At the limit, the client idle for longest is closed, so that idle connections
 * exclude no client. Thread-safe; one thread admits.
 */
final class Conversations {
    private final int most;
    private final Set<HttpConversation> all = ConcurrentHashMap.newKeySet();

    Conversations(int most) {
        this.most = most;
    }

    /** Returns false if the limit is reached and all clients have requests in progress. */
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
