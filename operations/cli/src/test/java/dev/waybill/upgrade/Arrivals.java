package dev.waybill.upgrade;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All messages in the order in which the broker has stored them, with the relay that has sent each: every relay sends to a
 * queue of its own, named after it. Thread-safe.
 */
final class Arrivals {
    private final List<Arrival> all = new ArrayList<>();
    private final Set<String> ids = new LinkedHashSet<>();

    static Arrivals at(EmbeddedServiceBus bus) {
        var arrivals = new Arrivals();
        // A condition that never holds, because it sees events one after the other, in their order.
        bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .when(arrivals::note)
                .then(FaultAction.reject(dev.waybill.servicebus.embedded.fault.BrokerError.SERVER_BUSY));
        return arrivals;
    }

    private synchronized boolean note(FaultEvent event) {
        Instant now = Instant.now();
        for (String id : event.messageIds()) {
            all.add(new Arrival(event.entity(), session(id), id, now));
            ids.add(id);
        }
        return false;
    }

    /** Ids end with their session. */
    private static String session(String id) {
        return id.substring(id.lastIndexOf('-') + 1);
    }

    /** How many messages have arrived, repeats not counted. */
    synchronized int count() {
        return ids.size();
    }

    synchronized List<Arrival> all() {
        return List.copyOf(all);
    }

    synchronized long from(String relay) {
        return all.stream().filter(arrival -> arrival.relay().equals(relay)).count();
    }

    /** Sessions with their messages, each where it arrived first. */
    synchronized Map<String, List<String>> first() {
        var first = new LinkedHashMap<String, Set<String>>();
        all.forEach(arrival -> first.computeIfAbsent(arrival.session(), session -> new LinkedHashSet<>())
                .add(arrival.id()));
        var lists = new LinkedHashMap<String, List<String>>();
        first.forEach((session, set) -> lists.put(session, List.copyOf(set)));
        return lists;
    }

    record Arrival(String relay, String session, String id, Instant at) {}
}
