package dev.waybill.servicebus.embedded.entity;

import org.jspecify.annotations.Nullable;

/** Passes messages of one entity on to another inside the broker. */
final class Forwarding {
    private static final int MAX_HOPS = 4;

    private final MessageEntity from;
    private final Directory directory;

    Forwarding(MessageEntity from, Directory directory) {
        this.from = from;
        this.directory = directory;
    }

    /** Passes a message on; one that cannot be passed on becomes a transfer dead letter. */
    void forward(Entry entry, String to) {
        if (entry.hops >= MAX_HOPS) {
            from.bury(
                    entry,
                    from.deadLetters(),
                    "MaxTransferHopCountExceeded",
                    "The message was forwarded more than " + MAX_HOPS + " times.");
            return;
        }
        Refused why = tryTo(entry, to);
        if (why != null) {
            from.bury(entry, from.transferDeadLetters(), why.error().condition(), why.description());
        }
    }

    /** Passes a dead letter on; tells whether that was possible. */
    boolean forwardDeadLetter(Entry entry, String to) {
        entry.forwardedFrom(from.path());
        entry.outlived = true;
        return entry.hops < MAX_HOPS && tryTo(entry, to) == null;
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
