package dev.waybill.inbox.servicebus;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.outbox.WireContract;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The SDK's message behind our interface. */
record ReceivedMessage(ServiceBusReceivedMessage message) implements InboundMessage {
    @Override
    public String id() {
        return message.getApplicationProperties().get(WireContract.LOGICAL_ID) instanceof String id
                ? id
                : brokerMessageId();
    }

    @Override
    public String brokerMessageId() {
        return message.getMessageId();
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
        return Optional.ofNullable(message.getContentType());
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
    public Map<String, Object> headers() {
        var headers = new LinkedHashMap<String, Object>();
        message.getApplicationProperties()
                .forEach((name, value) -> headers.put(name, value instanceof Date date ? instant(date) : value));
        return headers;
    }

    @Override
    public byte[] body() {
        return message.getBody().toBytes();
    }

    // Service Bus counts the deliveries before this one.
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
        return message.getEnqueuedTime().toInstant();
    }

    private static Instant instant(Date date) {
        return date.toInstant();
    }
}
