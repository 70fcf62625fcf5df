package dev.waybill.servicebus.embedded.journal;

import java.util.List;

/**
 * The journal of one entity, oldest first. Safe for use by any thread; each list is a copy, consistent in itself,
 * and contains everything that a client has already been told.
 */
public final class EntityJournal {
    private final BoundedList<Stored> stored;
    private final BoundedList<DroppedDuplicate> duplicates;
    private final BoundedList<Delivered> deliveries;
    private final BoundedList<Settled> settlements;

    EntityJournal(int limit) {
        stored = new BoundedList<>(limit);
        duplicates = new BoundedList<>(limit);
        deliveries = new BoundedList<>(limit);
        settlements = new BoundedList<>(limit);
    }

    /** Messages stored. */
    public List<Stored> stored() {
        return stored.copy();
    }

    /** Sends dropped by duplicate detection. */
    public List<DroppedDuplicate> duplicates() {
        return duplicates.copy();
    }

    /** Deliveries to receivers, also repeated ones. */
    public List<Delivered> deliveries() {
        return deliveries.copy();
    }

    /** Ends of deliveries. */
    public List<Settled> settlements() {
        return settlements.copy();
    }

    /** How many messages are recorded as stored; cheaper than the list. */
    public int storedCount() {
        return stored.size();
    }

    /** How many deliveries are recorded; cheaper than the list. */
    public int deliveryCount() {
        return deliveries.size();
    }

    /** How many records of all kinds the bound has cost so far; 0 means that the lists are complete. */
    public long forgotten() {
        return stored.forgotten() + duplicates.forgotten() + deliveries.forgotten() + settlements.forgotten();
    }

    /** Empties all lists. */
    public void clear() {
        stored.clear();
        duplicates.clear();
        deliveries.clear();
        settlements.clear();
    }

    void add(Stored record) {
        stored.add(record);
    }

    void add(DroppedDuplicate record) {
        duplicates.add(record);
    }

    void add(Delivered record) {
        deliveries.add(record);
    }

    void add(Settled record) {
        settlements.add(record);
    }
}
