package dev.waybill.deadletter;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.message.MessageContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as received from the broker. Its queue completes it by the handle. The content lacks the properties that say why
 * it is dead.
 */
public record ReceivedDeadLetter(Object handle, Origin origin, Death death, MessageContent content, BodyKind bodyKind) {
    /**
     * The place of a message on the broker. A recreated entity starts its sequence numbers again, so only the whole is unique.
     * The broker's MessageId is empty if there was none.
     */
    public record Origin(
            DeadLetterEntity entity,
            long sequenceNumber,
            Instant enqueuedAt,
            String brokerMessageId,
            long deliveries,
            @Nullable Instant expiresAt) {}

    /** Why a message is dead, as the consumer or the broker put it. The source is null unless the letter was forwarded. */
    public record Death(
            String reason, String description, @Nullable String source) {}
}
