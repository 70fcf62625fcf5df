package dev.waybill.message;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The content of a message without its destination. Immutable, unless a caller writes to {@link #body()}. */
public final class MessageContent {
    private final String messageId;
    private final @Nullable String brokerMessageId;
    private final @Nullable String sessionId;
    private final @Nullable String partitionKey;
    private final @Nullable String subject;
    private final @Nullable String contentType;
    private final @Nullable String correlationId;
    private final @Nullable String toAddress;
    private final @Nullable String replyTo;
    private final @Nullable String replyToSessionId;
    private final @Nullable Duration timeToLive;
    private final @Nullable Instant scheduledEnqueueTime;
    private final @Nullable String headers;
    private final byte[] body;

    private MessageContent(Builder values) {
        messageId = values.messageId;
        brokerMessageId = values.brokerMessageId;
        sessionId = values.sessionId;
        partitionKey = values.partitionKey;
        subject = values.subject;
        contentType = values.contentType;
        correlationId = values.correlationId;
        toAddress = values.toAddress;
        replyTo = values.replyTo;
        replyToSessionId = values.replyToSessionId;
        timeToLive = values.timeToLive;
        scheduledEnqueueTime = values.scheduledEnqueueTime;
        headers = values.headers;
        body = values.body;
    }

    /** A message with a logical id and an empty body. */
    public static Builder builder(String messageId) {
        return new Builder(messageId);
    }

    public static MessageContent of(String messageId, @Nullable String sessionId, byte[] body) {
        return builder(messageId).sessionId(sessionId).body(body).build();
    }

    public Builder toBuilder() {
        return builder(messageId)
                .brokerMessageId(brokerMessageId)
                .sessionId(sessionId)
                .partitionKey(partitionKey)
                .subject(subject)
                .contentType(contentType)
                .correlationId(correlationId)
                .toAddress(toAddress)
                .replyTo(replyTo)
                .replyToSessionId(replyToSessionId)
                .timeToLive(timeToLive)
                .scheduledEnqueueTime(scheduledEnqueueTime)
                .headers(headers)
                .body(body);
    }

    /** The logical id; repeats, re-drives and replays keep it. */
    public String messageId() {
        return messageId;
    }

    /** The MessageId on the broker; null if it equals the logical id. */
    public @Nullable String brokerMessageId() {
        return brokerMessageId;
    }

    /** The MessageId on the broker: the logical id, unless a re-drive or foreign producer has set another. */
    public String messageIdOnBroker() {
        return brokerMessageId != null ? brokerMessageId : messageId;
    }

    public @Nullable String sessionId() {
        return sessionId;
    }

    public @Nullable String partitionKey() {
        return partitionKey;
    }

    public @Nullable String subject() {
        return subject;
    }

    /** Media type of the body. */
    public @Nullable String contentType() {
        return contentType;
    }

    public @Nullable String correlationId() {
        return correlationId;
    }

    /** The broker's To. */
    public @Nullable String toAddress() {
        return toAddress;
    }

    public @Nullable String replyTo() {
        return replyTo;
    }

    public @Nullable String replyToSessionId() {
        return replyToSessionId;
    }

    /** How long the broker keeps the message. */
    public @Nullable Duration timeToLive() {
        return timeToLive;
    }

    /** When the broker makes the message available; null for at once. */
    public @Nullable Instant scheduledEnqueueTime() {
        return scheduledEnqueueTime;
    }

    /** Application properties in the format of {@link Headers}; null if there are none. */
    public @Nullable String headers() {
        return headers;
    }

    /**
     * The decoded application properties. Throws an {@link IllegalArgumentException} if another writer has stored another
     * format.
     */
    public Map<String, Object> properties() {
        return headers == null ? Map.of() : Headers.read(headers);
    }

    /** The body; not a copy. */
    public byte[] body() {
        return body;
    }

    public MessageContent withBody(byte[] newBody) {
        return toBuilder().body(newBody).build();
    }

    public MessageContent withProperties(Map<String, Object> properties) {
        return toBuilder().properties(properties).build();
    }

    /** Builds a message; null means that the property is absent. Not thread-safe. */
    public static final class Builder {
        private final String messageId;
        private @Nullable String brokerMessageId;
        private @Nullable String sessionId;
        private @Nullable String partitionKey;
        private @Nullable String subject;
        private @Nullable String contentType;
        private @Nullable String correlationId;
        private @Nullable String toAddress;
        private @Nullable String replyTo;
        private @Nullable String replyToSessionId;
        private @Nullable Duration timeToLive;
        private @Nullable Instant scheduledEnqueueTime;
        private @Nullable String headers;
        private byte[] body = new byte[0];

        private Builder(String messageId) {
            this.messageId = messageId;
        }

        public Builder brokerMessageId(@Nullable String brokerMessageId) {
            this.brokerMessageId = brokerMessageId;
            return this;
        }

        public Builder sessionId(@Nullable String sessionId) {
            this.sessionId = sessionId;
            return this;
        }

        public Builder partitionKey(@Nullable String partitionKey) {
            this.partitionKey = partitionKey;
            return this;
        }

        public Builder subject(@Nullable String subject) {
            this.subject = subject;
            return this;
        }

        public Builder contentType(@Nullable String contentType) {
            this.contentType = contentType;
            return this;
        }

        public Builder correlationId(@Nullable String correlationId) {
            this.correlationId = correlationId;
            return this;
        }

        public Builder toAddress(@Nullable String toAddress) {
            this.toAddress = toAddress;
            return this;
        }

        public Builder replyTo(@Nullable String replyTo) {
            this.replyTo = replyTo;
            return this;
        }

        public Builder replyToSessionId(@Nullable String replyToSessionId) {
            this.replyToSessionId = replyToSessionId;
            return this;
        }

        public Builder timeToLive(@Nullable Duration timeToLive) {
            this.timeToLive = timeToLive;
            return this;
        }

        public Builder scheduledEnqueueTime(@Nullable Instant time) {
            this.scheduledEnqueueTime = time;
            return this;
        }

        public Builder headers(@Nullable String headers) {
            this.headers = headers;
            return this;
        }

        /** Encodes the application properties by {@link Headers}. */
        public Builder properties(Map<String, Object> properties) {
            return headers(properties.isEmpty() ? null : Headers.write(properties));
        }

        /** The body; not copied. */
        public Builder body(byte[] body) {
            this.body = body;
            return this;
        }

        public MessageContent build() {
            return new MessageContent(this);
        }
    }
}
