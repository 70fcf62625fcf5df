package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The message ids seen within the duplicate window. Entries leave as they age, so its size follows the traffic. */
final class DuplicateHistory {
    private final Map<String, Long> forgottenAt = new LinkedHashMap<>();

    /** Whether the id was seen within the window before; from now on it has been. */
    boolean seenBefore(String id, Duration window, long now) {
        forget(now);
        if (knows(id, now)) {
            return true;
        }
        // Removed first: one that is over may still be here, behind one of a time when the window was longer.
        forgottenAt.remove(id);
        forgottenAt.put(id, BrokerClock.plus(now, window));
        return false;
    }

    /** Whether the id was seen within the window before. */
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
