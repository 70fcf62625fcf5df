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
        Long known = forgottenAt.putIfAbsent(id, BrokerClock.plus(now, window));
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
