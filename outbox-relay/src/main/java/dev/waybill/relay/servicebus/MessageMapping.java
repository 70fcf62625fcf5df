package dev.waybill.relay.servicebus;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.outbox.WireContract;
import dev.waybill.relay.OutboxRow;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row as a Service Bus message. Says the same about the same row every time, so a repeat is one. */
final class MessageMapping {
    private MessageMapping() {}

    static ServiceBusMessage toMessage(OutboxRow row) {
        var message = new ServiceBusMessage(BinaryData.fromBytes(row.payload()))
                .setMessageId(row.brokerMessageId())
                .setSubject(row.subject())
                .setContentType(row.contentType())
                .setCorrelationId(row.correlationId())
                .setTo(row.toAddress())
                .setReplyTo(row.replyTo())
                .setReplyToSessionId(row.replyToSessionId());
        setRouting(message, row);
        setTimes(message, row);
        setProperties(message.getApplicationProperties(), row);
        return message;
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

    private static void setProperties(Map<String, Object> properties, OutboxRow row) {
        row.headers().forEach((name, value) -> properties.put(name, AmqpTypes.of(value)));
        properties.put(WireContract.LOGICAL_ID, row.messageId());
        Padding.add(properties, row);
    }
}
