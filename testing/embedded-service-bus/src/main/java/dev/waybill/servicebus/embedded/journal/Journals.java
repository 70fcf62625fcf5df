package dev.waybill.servicebus.embedded.journal;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The journals of a broker's entities, which outlive the entities. Safe for use by any thread. */
public final class Journals {
    private final ConcurrentMap<String, EntityJournal> byPath = new ConcurrentHashMap<>();
    private final int limit;

    /** Journals that keep at most this many records of each kind per entity; 0 keeps none. */
    public Journals(int limit) {
        this.limit = limit;
    }

    /** The journal of an entity, empty if nothing has happened there; case does not matter. */
    public EntityJournal of(String path) {
        return byPath.computeIfAbsent(path.toLowerCase(Locale.ROOT), key -> new EntityJournal(limit));
    }

    /** For the broker itself. */
    public JournalWriter writer(String path) {
        return new JournalWriter(of(path));
    }

    /** Empties every journal. */
    public void clear() {
        byPath.values().forEach(EntityJournal::clear);
    }
}
