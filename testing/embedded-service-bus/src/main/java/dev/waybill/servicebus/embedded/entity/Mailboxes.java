package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Mailbox.Kind;
import dev.waybill.servicebus.embedded.mailbox.MailboxOwner;
import java.util.function.Consumer;

/** An entity's mailbox and its two sub-queues. */
record Mailboxes(Mailbox main, Mailbox deadLetters, Mailbox transferDeadLetters) {
    static Mailboxes of(BrokerContext context, String path, MailboxOwner owner) {
        return new Mailboxes(
                new Mailbox(context, path, Kind.MAIN, owner),
                new Mailbox(context, path + "/$DeadLetterQueue", Kind.DEAD_LETTERS, owner),
                new Mailbox(context, path + "/$Transfer/$DeadLetterQueue", Kind.TRANSFER_DEAD_LETTERS, owner));
    }

    /** Includes receivers of dead letters, and those that wait for a session. */
    boolean hasReceivers() {
        int waiting = main.hasSessions() ? main.sessions().waitingCount() : 0;
        return main.receivers() + waiting + deadLetters.receivers() + transferDeadLetters.receivers() > 0;
    }

    long bytes() {
        return main.bytes() + deadLetters.bytes() + transferDeadLetters.bytes();
    }

    void each(Consumer<Mailbox> action) {
        action.accept(main);
        action.accept(deadLetters);
        action.accept(transferDeadLetters);
    }
}
