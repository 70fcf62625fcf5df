package dev.waybill.deadletter.servicebus;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.DeadLetterEntity;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.ReceivedDeadLetter.Death;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import dev.waybill.message.Headers;
import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import dev.waybill.servicebus.AmqpTypes;
import dev.waybill.servicebus.MessageIds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps messages of the SDK, and changes none of their content. */
final class MessageMapping {
    private static final Logger LOG = LoggerFactory.getLogger(MessageMapping.class);

    // Properties in which the broker says why a message is dead.
    private static final String REASON = "DeadLetterReason";
    private static final String DESCRIPTION = "DeadLetterErrorDescription";

    private MessageMapping() {}

    static ReceivedDeadLetter toArrival(ServiceBusReceivedMessage message, DeadLetterEntity entity) {
        AmqpMessageBody body = message.getRawAmqpMessage().getBody();
        BodyKind kind = switch (body.getBodyType()) {
            case VALUE -> body.getValue() instanceof String ? BodyKind.TEXT : BodyKind.VALUE;
            case SEQUENCE -> BodyKind.SEQUENCE;
            default -> BodyKind.DATA;
        };
        return new ReceivedDeadLetter(
                message, origin(message, entity), death(message), content(message, entity, body(body)), kind);
    }

    private static Origin origin(ServiceBusReceivedMessage message, DeadLetterEntity entity) {
        @Nullable Instant enqueued = instant(message.getEnqueuedTime());
        return new Origin(
                entity,
                message.getSequenceNumber(),
                enqueued == null ? Instant.EPOCH : enqueued,
                orEmpty(message.getMessageId()),
                message.getDeliveryCount(),
                instant(message.getExpiresAt()));
    }

    private static Death death(ServiceBusReceivedMessage message) {
        return new Death(
                orEmpty(text(message.getApplicationProperties().get(REASON))),
                orEmpty(text(message.getApplicationProperties().get(DESCRIPTION))),
                message.getDeadLetterSource());
    }

    private static MessageContent content(ServiceBusReceivedMessage message, DeadLetterEntity entity, byte[] body) {
        Map<String, Object> headers = headers(MessageIds.properties(message));
        @Nullable String claim = body.length == 0 ? MessageIds.claimOfAnother(message) : null;
        if (claim != null) {
            // No handler believes it, but nothing else leads to the body. A re-driven copy has it as its own.
            headers.put(WireContract.CLAIM, claim);
        }
        String brokerId = orEmpty(message.getMessageId());
        String id = MessageIds.logical(message, entity.path());
        return MessageContent.builder(id)
                .brokerMessageId(brokerId.isEmpty() || brokerId.equals(id) ? null : brokerId)
                .sessionId(message.getSessionId())
                .partitionKey(message.getPartitionKey())
                .subject(message.getSubject())
                .contentType(message.getContentType())
                .correlationId(message.getCorrelationId())
                .toAddress(message.getTo())
                .replyTo(message.getReplyTo())
                .replyToSessionId(message.getReplyToSessionId())
                .timeToLive(timeToLive(message.getTimeToLive()))
                .scheduledEnqueueTime(instant(message.getScheduledEnqueueTime()))
                .properties(headers)
                .body(body)
                .build();
    }

    private static Map<String, Object> headers(Map<String, Object> properties) {
        var headers = new LinkedHashMap<String, Object>();
        properties.forEach((name, value) -> {
            if (value != null && !name.equals(REASON) && !name.equals(DESCRIPTION)) {
                headers.put(name, storable(name, value));
            }
        });
        return headers;
    }

    private static Object storable(String name, Object sent) {
        Object value = AmqpTypes.fromSdk(sent);
        if (Headers.hasForm(value)) {
            return value;
        }
        LOG.warn(
                "Property '{}' of a dead letter is stored as text: its type {} is unknown",
                name,
                value.getClass().getName());
        return value.toString();
    }

    private static byte[] body(AmqpMessageBody body) {
        return switch (body.getBodyType()) {
            case VALUE -> value(body.getValue()).getBytes(StandardCharsets.UTF_8);
            case SEQUENCE -> String.valueOf(body.getSequence()).getBytes(StandardCharsets.UTF_8);
            default -> bytes(body);
        };
    }

    private static String value(Object value) {
        return value instanceof String text ? text : Headers.write(Map.of("value", storable("value", value)));
    }

    private static byte[] bytes(AmqpMessageBody body) {
        byte[] first = body.getFirstData();
        return first == null ? new byte[0] : first;
    }

    private static @Nullable Duration timeToLive(@Nullable Duration timeToLive) {
        return timeToLive == null || timeToLive.isZero() || timeToLive.isNegative() ? null : timeToLive;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }
}
