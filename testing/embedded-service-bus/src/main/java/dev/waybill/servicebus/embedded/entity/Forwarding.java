package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import org.jspecify.annotations.Nullable;

/** Forwards messages inside the broker. */
final class Forwarding {
    private static final int MAX_HOPS = 4;

    private final MessageEntity from;
    private final Directory directory;

    Forwarding(MessageEntity from, Directory directory) {
        this.from = from;
        this.directory = directory;
    }

    /** A message that cannot be forwarded becomes a transfer dead letter. */
    void forward(Entry entry, String to) {
        if (entry.hops >= MAX_HOPS) {
            from.bury(
                    entry,
                    from.deadLetters(),
                    "MaxTransferHopCountExceeded",
                    "The message was forwarded more than " + MAX_HOPS + " times.");
            return;
        }
        Refused why = entry.copiedTooOften() ? tooManyCopies() : tryTo(entry, to);
        if (why != null) {
            from.bury(entry, from.transferDeadLetters(), why.error().condition(), why.description());
        }
    }

    private static Refused tooManyCopies() {
        return new Refused(
                BrokerError.RESOURCE_LIMIT_EXCEEDED, "Topics and forwarding have made too many copies of the message.");
    }

    static boolean mayGoOn(Entry entry) {
        return entry.hops < MAX_HOPS && !entry.copiedTooOften();
    }

    /** Leaves the dead letter unchanged on a refusal, which it returns. */
    @Nullable Refused forwardDeadLetter(Entry entry, String to) {
        Entry leaving = entry.movedTo(entry.sequenceNumber(), entry.enqueuedMillis(), BrokerClock.NEVER, null);
        leaving.forwardedFrom(from.path());
        leaving.outlived = true;
        return tryTo(leaving, to);
    }

    private @Nullable Refused tryTo(Entry entry, String to) {
        MessageEntity target = directory.intake(to);
        if (target == null) {
            return Refused.noSuchEntity(to);
        }
        try {
            target.acceptForwarded(entry);
            return null;
        } catch (Refused why) {
            return why;
        }
    }
}
