package dev.waybill.servicebus.embedded.mailbox;

/** A client's link, as the state sees it. */
public interface Receiver {
    /** Current capacity. When it grows, the receiver wakes its mailbox. */
    int capacity();

    /** Whether delivery deletes a message instead of locking it. */
    boolean deletesOnDelivery();

    /** Called only within the capacity. Must not call the mailbox. */
    void deliver(Entry entry);

    /** The lock of the session, or the entity, is gone. */
    void lost(Refused why);
}
