package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The senders of an entity, until its deletion. */
final class Senders {
    private final Set<Attached> attached = new LinkedHashSet<>();
    // A sender whose message was delayed meanwhile must not get an acknowledgement.
    private @Nullable Refused gone;

    void add(Attached sender) {
        attached.add(sender);
    }

    void remove(Attached sender) {
        attached.remove(sender);
    }

    void requireOpen() {
        if (gone != null) {
            throw gone;
        }
    }

    void close(Refused why) {
        gone = why;
        List.copyOf(attached).forEach(sender -> sender.lost(why));
    }
}
