package dev.waybill.inbox.settle;

import dev.waybill.hold.HeldMessage;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.MessageContent;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message out of a hold, and the content that goes into one. */
public record HeldInbound(HeldMessage held, String entity, Map<String, Object> headers) implements InboundMessage {
    public static HeldInbound of(HeldMessage held, String entity) {
        return new HeldInbound(held, entity, held.content().properties());
    }

    // NUL, which PostgreSQL rejects, becomes U+FFFD, as in dead letters. Throws IllegalArgumentException if that would
    // change id or session.
    static MessageContent content(InboundMessage message) {
        @Nullable String session = message.session().orElse(null);
        if (message.id().indexOf('\0') >= 0 || (session != null && session.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException("The message's id or session contains NUL, which cannot be stored");
        }
        return MessageContent.builder(message.id())
                .brokerMessageId(
                        message.brokerMessageId().equals(message.id())
                                ? null
                                : storable(Optional.of(message.brokerMessageId())))
                .sessionId(session)
                .partitionKey(storable(message.partitionKey()))
                .subject(storable(message.subject()))
                .contentType(storable(message.contentType()))
                .correlationId(storable(message.correlationId()))
                .toAddress(storable(message.to()))
                .replyTo(storable(message.replyTo()))
                .replyToSessionId(storable(message.replyToSession()))
                .timeToLive(message.timeToLive().orElse(null))
                .scheduledEnqueueTime(message.scheduledFor().orElse(null))
                .properties(message.headers())
                .body(message.body())
                .build();
    }

    private static @Nullable String storable(Optional<String> text) {
        return text.map(value -> value.replace('\0', '\uFFFD')).orElse(null);
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
