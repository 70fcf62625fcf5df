package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Message ids seen within the duplicate window. Entries expire, so the size follows the traffic. */
final class DuplicateHistory {
    private final Map<String, Long> forgottenAt = new LinkedHashMap<>();

    boolean seenBefore(String id, Duration window, long now) {
        forget(now);
        if (knows(id, now)) {
            return true;
        }
        // Removed first: an expired entry may still be here, behind one of a formerly longer window.
        forgottenAt.remove(id);
        forgottenAt.put(id, BrokerClock.plus(now, window));
        return false;
    }

    boolean knows(String id, long now) {
        Long known = forgottenAt.get(id);
        return known != null && known > now;
    }

    private void forget(long now) {
        Iterator<Long> oldestFirst = forgottenAt.values().iterator();
        while (oldestFirst.hasNext() && oldestFirst.next() <= now) {
            oldestFirst.remove();
        }
    }

    int size() {
        return forgottenAt.size();
    }
}
