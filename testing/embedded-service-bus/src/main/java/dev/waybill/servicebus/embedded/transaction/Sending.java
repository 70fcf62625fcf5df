package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.entity.Destination;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.util.List;

/** Messages that a transaction sends, with their number and bytes. */
public record Sending(Destination destination, int messages, long bytes) {
    public static Sending of(Destination destination, List<BrokerMessage> messages) {
        return new Sending(
                destination,
                messages.size(),
                messages.stream().mapToLong(BrokerMessage::size).sum());
    }
}
