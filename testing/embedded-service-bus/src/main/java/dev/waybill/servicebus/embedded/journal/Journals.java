package dev.waybill.servicebus.embedded.journal;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The journals of all entities, which outlive their entities. Thread-safe. */
public final class Journals {
    private final ConcurrentMap<String, EntityJournal> byPath = new ConcurrentHashMap<>();
    private final int limit;

    /** Keeps at most this many records per kind and entity; 0 keeps none. */
    public Journals(int limit) {
        this.limit = limit;
    }

    /** Empty if nothing happened at the entity; case does not matter. */
    public EntityJournal of(String path) {
        return byPath.computeIfAbsent(path.toLowerCase(Locale.ROOT), key -> new EntityJournal(limit));
    }

    /** For the broker. */
    public JournalWriter writer(String path) {
        return new JournalWriter(of(path));
    }

    public void clear() {
        byPath.values().forEach(EntityJournal::clear);
    }
}
