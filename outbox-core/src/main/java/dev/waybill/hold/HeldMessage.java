package dev.waybill.hold;

import dev.waybill.message.MessageContent;
import java.time.Instant;

/** A message in a hold; {@code place} identifies and orders it there. */
public record HeldMessage(long place, Origin origin, MessageContent content) {
    /**
     * The origin of a message: its sequence value and time in the outbox, or its sequence number, enqueued time and deliveries
     * on the broker. A hold contains a message of one origin and id only once.
     */
    public record Origin(long position, Instant time, long deliveries) {}
}
