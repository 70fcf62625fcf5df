package dev.waybill.hold;

import dev.waybill.outbox.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message without its way: enough to publish or handle it later as if it had not been held.
 *
 * @param messageId the logical id
 * @param brokerMessageId the MessageId on the broker; null if it is the logical id
 * @param headers application properties as {@link Headers} writes them; null if there are none
 * @param body not copied
 */
// Handed over and never compared.
@SuppressWarnings("ArrayRecordComponent")
public record MessageContent(
        String messageId,
        @Nullable String brokerMessageId,
        @Nullable String sessionId,
        @Nullable String partitionKey,
        @Nullable String subject,
        @Nullable String contentType,
        @Nullable String correlationId,
        @Nullable String toAddress,
        @Nullable String replyTo,
        @Nullable String replyToSessionId,
        @Nullable Duration timeToLive,
        @Nullable Instant scheduledEnqueueTime,
        @Nullable String headers,
        byte[] body) {

    /** A message of which only this is known. */
    public static MessageContent of(String messageId, @Nullable String sessionId, byte[] body) {
        return new MessageContent(
                messageId, null, sessionId, null, null, null, null, null, null, null, null, null, null, body);
    }

    /** The application properties with their types. */
    public Map<String, Object> properties() {
        return headers == null ? Map.of() : Headers.read(headers);
    }

    /** The same with another body. */
    public MessageContent withBody(byte[] newBody) {
        return new MessageContent(
                messageId,
                brokerMessageId,
                sessionId,
                partitionKey,
                subject,
                contentType,
                correlationId,
                toAddress,
                replyTo,
                replyToSessionId,
                timeToLive,
                scheduledEnqueueTime,
                headers,
                newBody);
    }

    /** The same with other application properties. */
    public MessageContent withProperties(Map<String, Object> properties) {
        return new MessageContent(
                messageId,
                brokerMessageId,
                sessionId,
                partitionKey,
                subject,
                contentType,
                correlationId,
                toAddress,
                replyTo,
                replyToSessionId,
                timeToLive,
                scheduledEnqueueTime,
                properties.isEmpty() ? null : Headers.write(properties),
                body);
    }
}
