package dev.waybill.servicebus.embedded.journal;

import java.util.List;

/**
 * The journal of one entity, oldest records first. Thread-safe. Each list is a consistent copy and contains everything that a client
 * was told before.
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

    public List<Stored> stored() {
        return stored.copy();
    }

    /** Sends dropped by duplicate detection. */
    public List<DroppedDuplicate> duplicates() {
        return duplicates.copy();
    }

    /** Deliveries, including repeated ones. */
    public List<Delivered> deliveries() {
        return deliveries.copy();
    }

    public List<Settled> settlements() {
        return settlements.copy();
    }

    /** The number of stored messages; cheaper than the list. */
    public int storedCount() {
        return stored.size();
    }

    /** The number of deliveries; cheaper than the list. */
    public int deliveryCount() {
        return deliveries.size();
    }

    /** How many records the limit has dropped; 0 means that the lists are complete. */
    public long forgotten() {
        return stored.forgotten() + duplicates.forgotten() + deliveries.forgotten() + settlements.forgotten();
    }

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
