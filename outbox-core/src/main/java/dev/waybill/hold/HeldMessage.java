package dev.waybill.hold;

import dev.waybill.message.MessageContent;
import java.time.Instant;

/** A message in a hold; {@code place} identifies and orders it there. */
public record HeldMessage(long place, Origin origin, MessageContent content) {
    /**
     * A hold contains a message of one origin and id only once.
     *
     * @param position sequence value of the outbox row, or sequence number on the broker
     * @param time when the row was written, or the broker enqueued the message
     * @param deliveries the broker's delivery count; 0 in the outbox
     */
    public record Origin(long position, Instant time, long deliveries) {}
}
