package dev.waybill.servicebus.embedded.journal;

/** For the broker: writes one entity's journal. */
public final class JournalWriter {
    private final EntityJournal journal;

    JournalWriter(EntityJournal journal) {
        this.journal = journal;
    }

    public void stored(Stored record) {
        journal.add(record);
    }

    public void duplicate(DroppedDuplicate record) {
        journal.add(record);
    }

    public void delivered(Delivered record) {
        journal.add(record);
    }

    public void settled(Settled record) {
        journal.add(record);
    }
}
