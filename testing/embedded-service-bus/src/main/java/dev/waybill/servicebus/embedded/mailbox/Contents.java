package dev.waybill.servicebus.embedded.mailbox;

import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The messages of a mailbox by sequence number, and how much room they take up. */
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

    /** A message that is here takes up so much more room than before. */
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

    /** All messages from a sequence number on. */
    Collection<Entry> from(long sequenceNumber) {
        return entries.tailMap(sequenceNumber, true).values();
    }

    @Nullable Entry at(long sequenceNumber) {
        return entries.get(sequenceNumber);
    }

    /** The first message after a sequence number, or null. */
    @Nullable Entry next(long after) {
        var found = entries.higherEntry(after);
        return found == null ? null : found.getValue();
    }
}
