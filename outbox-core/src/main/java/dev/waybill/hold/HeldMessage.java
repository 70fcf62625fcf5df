package dev.waybill.hold;

import dev.waybill.message.MessageContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message in a hold.
 *
 * @param place identifies and orders it there
 * @param deadLetter id of the dead letter that a re-drive brought there; null for all else
 */
public record HeldMessage(
        long place, Origin origin, @Nullable Long deadLetter, MessageContent content) {
    /**
     * The origin of a message: its sequence value and time in the outbox, or its sequence number, enqueued time and deliveries
     * on the broker. A hold contains a message of one origin and id only once.
     */
    public record Origin(long position, Instant time, long deliveries) {}
}
