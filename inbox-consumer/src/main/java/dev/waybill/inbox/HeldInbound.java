package dev.waybill.inbox;

import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.MessageContent;
import dev.waybill.outbox.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A message that comes out of a hold, and how it goes in. */
record HeldInbound(HeldMessage held, String entity, Map<String, Object> headers) implements InboundMessage {
    static HeldInbound of(HeldMessage held, String entity) {
        return new HeldInbound(held, entity, held.content().properties());
    }

    static MessageContent content(InboundMessage message) {
        return new MessageContent(
                message.id(),
                message.brokerMessageId().equals(message.id()) ? null : message.brokerMessageId(),
                message.session().orElse(null),
                message.partitionKey().orElse(null),
                message.subject().orElse(null),
                message.contentType().orElse(null),
                message.correlationId().orElse(null),
                message.to().orElse(null),
                message.replyTo().orElse(null),
                message.replyToSession().orElse(null),
                message.timeToLive().orElse(null),
                message.scheduledFor().orElse(null),
                message.headers().isEmpty() ? null : Headers.write(message.headers()),
                message.body());
    }

    private MessageContent content() {
        return held.content();
    }

    @Override
    public String id() {
        return content().messageId();
    }

    @Override
    public String brokerMessageId() {
        return Optional.ofNullable(content().brokerMessageId()).orElseGet(this::id);
    }

    @Override
    public Optional<String> session() {
        return Optional.ofNullable(content().sessionId());
    }

    @Override
    public Optional<String> subject() {
        return Optional.ofNullable(content().subject());
    }

    @Override
    public Optional<String> contentType() {
        return Optional.ofNullable(content().contentType());
    }

    @Override
    public Optional<String> correlationId() {
        return Optional.ofNullable(content().correlationId());
    }

    @Override
    public Optional<String> replyTo() {
        return Optional.ofNullable(content().replyTo());
    }

    @Override
    public Optional<String> replyToSession() {
        return Optional.ofNullable(content().replyToSessionId());
    }

    @Override
    public Optional<String> to() {
        return Optional.ofNullable(content().toAddress());
    }

    @Override
    public Optional<String> partitionKey() {
        return Optional.ofNullable(content().partitionKey());
    }

    @Override
    public Optional<Duration> timeToLive() {
        return Optional.ofNullable(content().timeToLive());
    }

    @Override
    public Optional<Instant> scheduledFor() {
        return Optional.ofNullable(content().scheduledEnqueueTime());
    }

    @Override
    public byte[] body() {
        return content().body().clone();
    }

    @Override
    public long deliveryCount() {
        return held.origin().deliveries();
    }

    @Override
    public long sequenceNumber() {
        return held.origin().position();
    }

    @Override
    public Instant enqueuedAt() {
        return held.origin().time();
    }
}
