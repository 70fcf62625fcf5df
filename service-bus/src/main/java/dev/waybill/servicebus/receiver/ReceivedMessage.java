package dev.waybill.servicebus.receiver;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.BodyText;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.message.WireContract;
import dev.waybill.servicebus.MessageIds;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

record ReceivedMessage(ServiceBusReceivedMessage message, String entity) implements InboundMessage {
    @Override
    public String id() {
        return MessageIds.logical(message, entity);
    }

    @Override
    public String brokerMessageId() {
        return MessageIds.ofBroker(message, entity);
    }

    @Override
    public Optional<String> session() {
        return Optional.ofNullable(message.getSessionId());
    }

    @Override
    public Optional<String> subject() {
        return Optional.ofNullable(message.getSubject());
    }

    @Override
    public Optional<String> contentType() {
        @Nullable String type = message.getContentType();
        return Optional.ofNullable(Body.isText(message) ? BodyText.utf8(type) : type);
    }

    @Override
    public Optional<String> correlationId() {
        return Optional.ofNullable(message.getCorrelationId());
    }

    @Override
    public Optional<String> replyTo() {
        return Optional.ofNullable(message.getReplyTo());
    }

    @Override
    public Optional<String> replyToSession() {
        return Optional.ofNullable(message.getReplyToSessionId());
    }

    @Override
    public Optional<String> to() {
        return Optional.ofNullable(message.getTo());
    }

    @Override
    public Optional<String> partitionKey() {
        return Optional.ofNullable(message.getPartitionKey());
    }

    @Override
    public Optional<Duration> timeToLive() {
        return Optional.ofNullable(message.getTimeToLive());
    }

    @Override
    public Optional<Instant> expiresAt() {
        return instant(message.getExpiresAt());
    }

    @Override
    public Optional<Instant> scheduledFor() {
        return instant(message.getScheduledEnqueueTime());
    }

    @Override
    public Optional<Instant> lockedUntil() {
        return instant(message.getLockedUntil());
    }

    @Override
    public Optional<String> deadLetterSource() {
        return Optional.ofNullable(message.getDeadLetterSource());
    }

    @Override
    public long enqueuedSequenceNumber() {
        return message.getEnqueuedSequenceNumber();
    }

    @Override
    public Map<String, Object> headers() {
        var headers = new LinkedHashMap<String, Object>();
        MessageIds.properties(message).forEach((name, value) -> {
            if (value != null) {
                headers.put(name, ForeignTypes.received(value));
            }
        });
        return headers;
    }

    @Override
    public byte[] body() {
        byte[] body = Body.bytes(message.getRawAmqpMessage().getBody());
        @Nullable String claim = body.length == 0 ? MessageIds.claimOfAnother(message) : null;
        if (claim != null) {
            throw new UnreadableBodyException("The body is outside the message, as claim " + claim
                    + ", which is not believed: '" + WireContract.LOGICAL_ID + "' is not the id of MessageId '"
                    + message.getMessageId() + "'. Who sends a copy under an id of its own must send the body, too");
        }
        return body;
    }

    // Service Bus counts previous deliveries.
    @Override
    public long deliveryCount() {
        return message.getDeliveryCount() + 1;
    }

    @Override
    public long sequenceNumber() {
        return message.getSequenceNumber();
    }

    @Override
    public Instant enqueuedAt() {
        return instant(message.getEnqueuedTime()).orElse(Instant.EPOCH);
    }

    private static Optional<Instant> instant(@Nullable OffsetDateTime time) {
        return Optional.ofNullable(time).map(OffsetDateTime::toInstant);
    }
}
