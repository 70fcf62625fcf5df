package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Mailbox.Kind;
import dev.waybill.servicebus.embedded.mailbox.MailboxOwner;
import java.util.function.Consumer;

/** The mailbox of an entity and its two sub-queues. */
record Mailboxes(Mailbox main, Mailbox deadLetters, Mailbox transferDeadLetters) {
    static Mailboxes of(BrokerContext context, String path, MailboxOwner owner) {
        return new Mailboxes(
                new Mailbox(context, path, Kind.MAIN, owner),
                new Mailbox(context, path + "/$DeadLetterQueue", Kind.DEAD_LETTERS, owner),
                new Mailbox(context, path + "/$Transfer/$DeadLetterQueue", Kind.TRANSFER_DEAD_LETTERS, owner));
    }

    /**
     * Whether anybody receives. Receivers of dead letters, and those that wait for a session, are receivers, too.
     */
    boolean hasReceivers() {
        int waiting = main.hasSessions() ? main.sessions().waitingCount() : 0;
        return main.receivers() + waiting + deadLetters.receivers() + transferDeadLetters.receivers() > 0;
    }

    /** How much room all messages and the states of sessions take up. */
    long bytes() {
        return main.bytes() + deadLetters.bytes() + transferDeadLetters.bytes();
    }

    void each(Consumer<Mailbox> action) {
        action.accept(main);
        action.accept(deadLetters);
        action.accept(transferDeadLetters);
    }
}
