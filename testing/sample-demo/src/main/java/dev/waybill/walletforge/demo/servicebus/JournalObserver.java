package dev.waybill.walletforge.demo.servicebus;

import dev.waybill.servicebus.embedded.journal.Delivered;
import dev.waybill.servicebus.embedded.journal.EntityJournal;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.walletforge.demo.proof.BrokerObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The journal of the embedded broker. */
record JournalObserver(EntityJournal journal) implements BrokerObserver {
    @Override
    public Map<String, List<String>> publications() {
        requireComplete();
        var sessions = new HashMap<String, List<String>>();
        for (Stored message : journal.stored()) {
            sessions.computeIfAbsent(String.valueOf(message.sessionId()), id -> new ArrayList<>())
                    .add(String.valueOf(message.messageId()));
        }
        return sessions;
    }

    @Override
    public Map<String, Integer> deliveries() {
        requireComplete();
        var counts = new HashMap<String, Integer>();
        for (Delivered delivery : journal.deliveries()) {
            counts.merge(String.valueOf(delivery.messageId()), 1, Integer::sum);
        }
        return counts;
    }

    // Half a journal proves nothing.
    private void requireComplete() {
        if (journal.forgotten() > 0) {
            throw new IllegalStateException("The broker's journal has lost " + journal.forgotten() + " records");
        }
    }
}
