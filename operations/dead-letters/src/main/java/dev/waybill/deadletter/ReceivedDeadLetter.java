package dev.waybill.deadletter;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.message.MessageContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as received from the broker.
 *
 * @param handle what its queue completes it by
 * @param content without the properties of the broker that say why it is dead
 */
public record ReceivedDeadLetter(Object handle, Origin origin, Death death, MessageContent content, BodyKind bodyKind) {
    /**
     * The place of a message on the broker. A recreated entity starts its sequence numbers again, so only the whole record is
     * unique.
     *
     * @param brokerMessageId the MessageId; empty if it had none
     * @param expiresAt null if never
     */
    public record Origin(
            DeadLetterEntity entity,
            long sequenceNumber,
            Instant enqueuedAt,
            String brokerMessageId,
            long deliveries,
            @Nullable Instant expiresAt) {}

    /**
     * Why a message is dead, as the consumer or the broker has put it.
     *
     * @param source the entity whose dead letters were forwarded; null if they were not
     */
    public record Death(
            String reason, String description, @Nullable String source) {}
}
