package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.config.QueueOptions;

/** The entity around a mailbox. */
public interface MailboxOwner {
    QueueOptions options();

    /** Somebody uses the entity. */
    void accessed();

    /** Somebody looks at its messages and takes none: it is not idle. */
    void used();

    /** Takes a message that its mailbox has let go of, because it cannot be delivered or its receiver refused it. */
    void deadLetter(Entry entry);

    /** Refuses if the entity has no room for so many bytes more. */
    void requireRoom(long bytes);

    /** A message has left, so that there is room for another. */
    void roomMade();

    /** A dead letter that somebody had has come back. */
    void deadLetterBack();

    /** Whether messages go on to another entity instead of waiting here. */
    boolean passesOn();

    /** Sends a message on that its mailbox has let go of. */
    void passOn(Entry entry);
}
