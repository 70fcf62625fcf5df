package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.Set;

/**
 * Forwards an entity's dead letters. A letter that the target rejects for now stays, and is retried when the target changes: gets room,
 * is enabled or is created. An attempt ends at the first such letter. A letter that the target would never accept stays and blocks no
 * other.
 */
final class DeadLetterForwarding {
    /** Rejections that may end without a change of the message. */
    private static final Set<BrokerError> PASSING =
            Set.of(BrokerError.RESOURCE_LIMIT_EXCEEDED, BrokerError.ENTITY_DISABLED, BrokerError.NOT_FOUND);

    private final MessageEntity from;
    private final Directory directory;
    private final Forwarding forwarding;
    private final Runnable again = this::tryAgain;

    DeadLetterForwarding(MessageEntity from, Directory directory, Forwarding forwarding) {
        this.from = from;
        this.directory = directory;
        this.forwarding = forwarding;
    }

    private enum Outcome {
        GONE,
        WAITS,
        STAYS
    }

    /** Forwards a dead letter, or adds it to the entity's dead letters. */
    void take(Entry entry) {
        if (forward(entry) != Outcome.GONE) {
            from.deadLetters()
                    .add(entry.movedTo(entry.sequenceNumber(), entry.enqueuedMillis(), BrokerClock.NEVER, null));
        }
    }

    private Outcome forward(Entry entry) {
        String target = from.options().forwardDeadLettersTo();
        if (target == null || !Forwarding.mayGoOn(entry)) {
            return Outcome.STAYS;
        }
        Refused why = forwarding.forwardDeadLetter(entry, target);
        if (why == null) {
            return Outcome.GONE;
        }
        if (!PASSING.contains(why.error())) {
            return Outcome.STAYS;
        }
        directory.whenChanged(target, again);
        return Outcome.WAITS;
    }

    /** Forwards the stored dead letters, after a change of the target or of the settings. */
    void tryAgain() {
        if (from.options().forwardDeadLettersTo() == null) {
            return;
        }
        Mailbox deadLetters = from.deadLetters();
        for (Entry entry = deadLetters.next(Long.MIN_VALUE);
                entry != null;
                entry = deadLetters.next(entry.sequenceNumber())) {
            Outcome outcome = entry.state == Entry.State.ACTIVE ? forward(entry) : Outcome.STAYS;
            if (outcome == Outcome.WAITS) {
                return;
            }
            if (outcome == Outcome.GONE) {
                deadLetters.remove(entry);
            }
        }
    }
}
