package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.Set;

/**
 * Passes the dead letters of one entity on to another. Those that the target cannot take now wait among the
 * entity's dead letters and are tried again when the target changes: when it has room, is enabled, or is there
 * again. Nothing is tried in between, and the first that must go on waiting ends an attempt, so that they keep
 * nobody busy. Those that the target would never take stay, and hold up no other.
 */
final class DeadLetterForwarding {
    /** Refusals that may be over one day although the message stays as it is. */
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

    /** Takes a dead letter that no mailbox holds: it goes on, or to the dead letters of the entity. */
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

    /** Tries to pass on the dead letters that lie there: the target has changed, or the wish to forward is new. */
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
