package dev.waybill.servicebus;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.message.MessageContent;
import dev.waybill.message.SendRules;
import dev.waybill.message.WireContract;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts contents to messages of the Azure SDK. Equal contents give equal messages, so a repeat is a duplicate. */
public final class OutgoingMessage {
    private OutgoingMessage() {}

    /** Throws an {@link IllegalArgumentException} if a property or the body cannot be decoded, or the content type cannot be sent. */
    public static ServiceBusMessage of(MessageContent content) {
        @Nullable String broken = SendRules.ofContentType(content.contentType());
        if (broken != null) {
            throw new IllegalArgumentException("The message " + broken);
        }
        Map<String, Object> properties = properties(content);
        ServiceBusMessage message = withBody(content, properties.remove(WireContract.BODY))
                .setMessageId(content.messageIdOnBroker())
                .setSubject(content.subject())
                .setContentType(content.contentType())
                .setCorrelationId(content.correlationId())
                .setTo(content.toAddress())
                .setReplyTo(content.replyTo())
                .setReplyToSessionId(content.replyToSessionId());
        setRouting(message, content);
        setTimes(message, content);
        message.getApplicationProperties().putAll(properties);
        return message;
    }

    private static ServiceBusMessage withBody(MessageContent content, @Nullable Object kind) {
        if (kind == null) {
            return new ServiceBusMessage(BinaryData.fromBytes(content.body()));
        }
        if (!WireContract.TEXT_BODY.equals(kind)) {
            throw new IllegalArgumentException("Unknown form of a body: '" + kind + "'");
        }
        return new ServiceBusMessage(AmqpMessageBody.fromValue(text(content)));
    }

    private static String text(MessageContent content) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content.body()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("The body should be text and is not valid UTF-8", e);
        }
    }

    // The SDK rejects a null session id or partition key.
    private static void setRouting(ServiceBusMessage message, MessageContent content) {
        @Nullable String session = content.sessionId();
        @Nullable String partitionKey = content.partitionKey();
        if (session != null) {
            message.setSessionId(session);
        }
        if (partitionKey != null) {
            message.setPartitionKey(partitionKey);
        }
    }

    private static void setTimes(ServiceBusMessage message, MessageContent content) {
        @Nullable Duration timeToLive = content.timeToLive();
        @Nullable Instant scheduled = content.scheduledEnqueueTime();
        if (timeToLive != null) {
            message.setTimeToLive(timeToLive);
        }
        if (scheduled != null) {
            message.setScheduledEnqueueTime(scheduled.atOffset(ZoneOffset.UTC));
        }
    }

    private static Map<String, Object> properties(MessageContent content) {
        var properties = new LinkedHashMap<String, Object>();
        content.properties().forEach((name, value) -> properties.put(name, AmqpTypes.toSdk(value)));
        properties.put(WireContract.LOGICAL_ID, content.messageId());
        Padding.add(properties, content);
        return properties;
    }
}
