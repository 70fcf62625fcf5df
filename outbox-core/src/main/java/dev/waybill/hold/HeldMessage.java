package dev.waybill.hold;

import dev.waybill.message.MessageContent;
import java.time.Instant;

/**
 * A message in a hold.
 *
 * @param place its order inside the hold, and its name there
 */
public record HeldMessage(long place, Origin origin, MessageContent content) {
    /**
     * Where a message came from. A message that comes twice from the same place and time, under the same id, is held
     * once.
     *
     * @param position sequence value of the outbox row, or sequence number on the broker
     * @param time when the row was written, or the broker took the message
     * @param deliveries how often the broker had delivered it; 0 in the outbox
     */
    public record Origin(long position, Instant time, long deliveries) {}
}
