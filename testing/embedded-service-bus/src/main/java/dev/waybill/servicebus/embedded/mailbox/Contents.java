package dev.waybill.servicebus.embedded.mailbox;

import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

final class Contents {
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private long bytes;

    void put(Entry entry) {
        entries.put(entry.sequenceNumber(), entry);
        bytes += entry.size();
        if (entry.session != null) {
            entry.session.messages++;
        }
    }

    void remove(Entry entry) {
        entries.remove(entry.sequenceNumber());
        bytes -= entry.size();
        if (entry.session != null) {
            entry.session.messages--;
        }
    }

    void grown(int more) {
        bytes += more;
    }

    void clear() {
        entries.clear();
        bytes = 0;
    }

    long bytes() {
        return bytes;
    }

    Collection<Entry> all() {
        return entries.values();
    }

    Collection<Entry> from(long sequenceNumber) {
        return entries.tailMap(sequenceNumber, true).values();
    }

    @Nullable Entry at(long sequenceNumber) {
        return entries.get(sequenceNumber);
    }

    @Nullable Entry next(long after) {
        var found = entries.higherEntry(after);
        return found == null ? null : found.getValue();
    }
}
