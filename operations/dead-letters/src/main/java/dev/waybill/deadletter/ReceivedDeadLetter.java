package dev.waybill.deadletter;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.message.MessageContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as the broker hands it out.
 *
 * @param handle what its queue completes it by
 * @param origin where it stood
 * @param death why it is dead
 * @param content what it says; without the properties that tell why it is dead
 * @param bodyKind what the body's bytes are
 */
public record ReceivedDeadLetter(Object handle, Origin origin, Death death, MessageContent content, BodyKind bodyKind) {
    /**
     * Where a message stood. A recreated entity starts its numbers again, so that only the whole tells two messages apart.
     *
     * @param brokerMessageId the MessageId as it was; empty if it had none
     * @param expiresAt when it expired, or would have; null if never
     */
    public record Origin(
            DeadLetterEntity entity,
            long sequenceNumber,
            Instant enqueuedAt,
            String brokerMessageId,
            long deliveries,
            @Nullable Instant expiresAt) {}

    /**
     * Why a message is dead, in the words of who gave it up.
     *
     * @param source the entity whose dead-letter queue passed it on; null if it did not
     */
    public record Death(
            String reason, String description, @Nullable String source) {}
}
