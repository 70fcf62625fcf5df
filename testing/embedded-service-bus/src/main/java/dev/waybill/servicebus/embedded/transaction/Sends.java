package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.entity.Destination;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Everything that one transaction sends. Room is checked for the sum: messages that fit one by one may not fit together. */
final class Sends {
    /** Azure's quota; messages of a batch count one by one. */
    private static final int MOST_MESSAGES = 100;

    private final Map<String, Sending> byHolder = new HashMap<>();
    private int messages;
    private long bytes;

    /** Throws and stays unchanged if a limit is exceeded. */
    void add(Sending more) {
        if (more.messages() > MOST_MESSAGES - messages) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED,
                    "Cannot send more than " + MOST_MESSAGES + " messages in a single transaction.");
        }
        Destination destination = more.destination();
        String holder = destination.holder().toLowerCase(Locale.ROOT);
        Sending before = byHolder.get(holder);
        long together = more.bytes() + (before == null ? 0 : before.bytes());
        destination.requireRoom(together);
        byHolder.put(holder, new Sending(destination, 0, together));
        messages += more.messages();
        bytes += more.bytes();
    }

    long bytes() {
        return bytes;
    }

    void check() {
        byHolder.values().forEach(sending -> sending.destination().requireRoom(sending.bytes()));
    }
}
