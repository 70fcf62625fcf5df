package dev.waybill.walletforge.demo.servicebus;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.walletforge.demo.proof.BrokerObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sees what arrives at the consumer: for want of a look into the broker, a first delivery counts as publication. */
final class ConsumerObserver implements BrokerObserver, ConsumerListener {
    private final Map<String, List<String>> sessions = new HashMap<>();
    private final Map<String, Integer> deliveries = new HashMap<>();
    private long total;

    @Override
    public synchronized void received(InboundMessage message) {
        total++;
        if (deliveries.merge(message.id(), 1, Integer::sum) == 1) {
            sessions.computeIfAbsent(message.session().orElse(""), id -> new ArrayList<>())
                    .add(message.id());
        }
    }

    @Override
    public synchronized Map<String, List<String>> publications() {
        var copy = new HashMap<String, List<String>>();
        sessions.forEach((session, ids) -> copy.put(session, List.copyOf(ids)));
        return copy;
    }

    @Override
    public synchronized Map<String, Integer> deliveries() {
        return Map.copyOf(deliveries);
    }

    synchronized long messages() {
        return deliveries.size();
    }

    synchronized long total() {
        return total;
    }
}
