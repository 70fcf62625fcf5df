package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.config.QueueOptions;

/** The entity of a mailbox. */
public interface MailboxOwner {
    QueueOptions options();

    void accessed();

    /** The entity was read but not changed: it is not idle. */
    void used();

    /** Receives a message that its mailbox removed, because it is undeliverable or its receiver dead-lettered it. */
    void deadLetter(Entry entry);

    /** Throws if the entity lacks room. */
    void requireRoom(long bytes);

    void roomMade();

    /** A received dead letter has returned. */
    void deadLetterBack();

    /** Whether messages are forwarded instead of waiting here. */
    boolean passesOn();

    void passOn(Entry entry);
}
