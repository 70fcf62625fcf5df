package dev.waybill.relay.servicebus;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.outbox.WireContract;
import dev.waybill.relay.OutboxRow;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row as a Service Bus message. Says the same about the same row every time, so a repeat is one. */
final class MessageMapping {
    private MessageMapping() {}

    static ServiceBusMessage toMessage(OutboxRow row) {
        Map<String, Object> properties = properties(row);
        ServiceBusMessage message = withBody(row, properties.remove(WireContract.BODY))
                .setMessageId(row.brokerMessageId())
                .setSubject(row.subject())
                .setContentType(row.contentType())
                .setCorrelationId(row.correlationId())
                .setTo(row.toAddress())
                .setReplyTo(row.replyTo())
                .setReplyToSessionId(row.replyToSessionId());
        setRouting(message, row);
        setTimes(message, row);
        message.getApplicationProperties().putAll(properties);
        return message;
    }

    private static ServiceBusMessage withBody(OutboxRow row, @Nullable Object kind) {
        if (kind == null) {
            return new ServiceBusMessage(BinaryData.fromBytes(row.payload()));
        }
        if (!WireContract.TEXT_BODY.equals(kind)) {
            throw new IllegalArgumentException("There is no body of the kind '" + kind + "'");
        }
        return new ServiceBusMessage(AmqpMessageBody.fromValue(text(row)));
    }

    private static String text(OutboxRow row) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(row.payload()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("The body is to be a text and is no UTF-8", e);
        }
    }

    // The SDK refuses a null session id or partition key rather than leaving it out.
    private static void setRouting(ServiceBusMessage message, OutboxRow row) {
        @Nullable String session = row.sessionId();
        @Nullable String partitionKey = row.partitionKey();
        if (session != null) {
            message.setSessionId(session);
        }
        if (partitionKey != null) {
            message.setPartitionKey(partitionKey);
        }
    }

    private static void setTimes(ServiceBusMessage message, OutboxRow row) {
        @Nullable Duration timeToLive = row.timeToLive();
        @Nullable OffsetDateTime scheduled = row.scheduledEnqueueTime();
        if (timeToLive != null) {
            message.setTimeToLive(timeToLive);
        }
        if (scheduled != null) {
            message.setScheduledEnqueueTime(scheduled);
        }
    }

    private static Map<String, Object> properties(OutboxRow row) {
        var properties = new LinkedHashMap<String, Object>();
        row.headers().forEach((name, value) -> properties.put(name, AmqpTypes.of(value)));
        properties.put(WireContract.LOGICAL_ID, row.messageId());
        Padding.add(properties, row);
        return properties;
    }
}
