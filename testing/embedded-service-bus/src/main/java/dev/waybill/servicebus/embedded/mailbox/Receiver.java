package dev.waybill.servicebus.embedded.mailbox;

/** Somebody to whom messages are delivered: a client's link, seen from the state's side. */
public interface Receiver {
    /** How many messages it can take now. When this grows, the receiver wakes its mailbox. */
    int capacity();

    /** Whether a message is gone once delivered, instead of locked until settled. */
    boolean deletesOnDelivery();

    /** Takes a message; called only with capacity left. Does not call back into the mailbox. */
    void deliver(Entry entry);

    /** Its session's lock, or its entity, is gone, and no more messages come. */
    void lost(Refused why);
}
