package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.entity.Destination;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * All that one transaction sends. Messages that fit into an entity one by one may not fit together, so that room is
 * asked for by their sum.
 */
final class Sends {
    /** Azure's quota; the messages of a batch count one by one. */
    private static final int MOST_MESSAGES = 100;

    private final Map<String, Sending> byHolder = new HashMap<>();
    private int messages;
    private long bytes;

    /** Takes more in, or refuses it and stays as it was. */
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

    /** How much memory the messages take until the transaction ends. */
    long bytes() {
        return bytes;
    }

    /** Whether there is room for all of it now; throws the refusal if not. */
    void check() {
        byHolder.values().forEach(sending -> sending.destination().requireRoom(sending.bytes()));
    }
}
