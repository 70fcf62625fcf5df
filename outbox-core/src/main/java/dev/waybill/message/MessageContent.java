package dev.waybill.message;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message without its way: enough to publish or handle it later as if nothing had happened to it in between. Immutable as
 * long as nobody writes to {@link #body()}.
 */
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

    /** Starts a message with a logical id, an empty body and nothing else. */
    public static Builder builder(String messageId) {
        return new Builder(messageId);
    }

    /** A message of which only this is known. */
    public static MessageContent of(String messageId, @Nullable String sessionId, byte[] body) {
        return builder(messageId).sessionId(sessionId).body(body).build();
    }

    /** The same message, to be changed. */
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

    /** The logical id: the same however often the message is sent or re-driven. */
    public String messageId() {
        return messageId;
    }

    /** The MessageId on the broker; null if it is the logical id. */
    public @Nullable String brokerMessageId() {
        return brokerMessageId;
    }

    /** The MessageId on the broker: the logical id, unless a re-drive or a foreign producer gave another. */
    public String messageIdOnBroker() {
        return brokerMessageId != null ? brokerMessageId : messageId;
    }

    /** The ordering boundary. */
    public @Nullable String sessionId() {
        return sessionId;
    }

    /** The broker's PartitionKey. */
    public @Nullable String partitionKey() {
        return partitionKey;
    }

    /** The broker's Subject. */
    public @Nullable String subject() {
        return subject;
    }

    /** Media type of the body. */
    public @Nullable String contentType() {
        return contentType;
    }

    /** The broker's CorrelationId. */
    public @Nullable String correlationId() {
        return correlationId;
    }

    /** The broker's To. */
    public @Nullable String toAddress() {
        return toAddress;
    }

    /** The broker's ReplyTo. */
    public @Nullable String replyTo() {
        return replyTo;
    }

    /** The broker's ReplyToSessionId. */
    public @Nullable String replyToSessionId() {
        return replyToSessionId;
    }

    /** How long the broker keeps the message. */
    public @Nullable Duration timeToLive() {
        return timeToLive;
    }

    /** Until when the broker holds the message back. */
    public @Nullable Instant scheduledEnqueueTime() {
        return scheduledEnqueueTime;
    }

    /** Application properties as {@link Headers} writes them; null if there are none. */
    public @Nullable String headers() {
        return headers;
    }

    /**
     * The application properties with their types.
     *
     * @throws IllegalArgumentException if a writer other than Waybill stored what is not of their form
     */
    public Map<String, Object> properties() {
        return headers == null ? Map.of() : Headers.read(headers);
    }

    /** The body; not a copy. */
    public byte[] body() {
        return body;
    }

    /** The same with another body. */
    public MessageContent withBody(byte[] newBody) {
        return toBuilder().body(newBody).build();
    }

    /** The same with other application properties. */
    public MessageContent withProperties(Map<String, Object> properties) {
        return toBuilder().properties(properties).build();
    }

    /** Collects a message; null stands for "it has none". Not thread-safe. */
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

        /** See {@link MessageContent#brokerMessageId()}. */
        public Builder brokerMessageId(@Nullable String brokerMessageId) {
            this.brokerMessageId = brokerMessageId;
            return this;
        }

        /** See {@link MessageContent#sessionId()}. */
        public Builder sessionId(@Nullable String sessionId) {
            this.sessionId = sessionId;
            return this;
        }

        /** See {@link MessageContent#partitionKey()}. */
        public Builder partitionKey(@Nullable String partitionKey) {
            this.partitionKey = partitionKey;
            return this;
        }

        /** See {@link MessageContent#subject()}. */
        public Builder subject(@Nullable String subject) {
            this.subject = subject;
            return this;
        }

        /** See {@link MessageContent#contentType()}. */
        public Builder contentType(@Nullable String contentType) {
            this.contentType = contentType;
            return this;
        }

        /** See {@link MessageContent#correlationId()}. */
        public Builder correlationId(@Nullable String correlationId) {
            this.correlationId = correlationId;
            return this;
        }

        /** See {@link MessageContent#toAddress()}. */
        public Builder toAddress(@Nullable String toAddress) {
            this.toAddress = toAddress;
            return this;
        }

        /** See {@link MessageContent#replyTo()}. */
        public Builder replyTo(@Nullable String replyTo) {
            this.replyTo = replyTo;
            return this;
        }

        /** See {@link MessageContent#replyToSessionId()}. */
        public Builder replyToSessionId(@Nullable String replyToSessionId) {
            this.replyToSessionId = replyToSessionId;
            return this;
        }

        /** See {@link MessageContent#timeToLive()}. */
        public Builder timeToLive(@Nullable Duration timeToLive) {
            this.timeToLive = timeToLive;
            return this;
        }

        /** See {@link MessageContent#scheduledEnqueueTime()}. */
        public Builder scheduledEnqueueTime(@Nullable Instant time) {
            this.scheduledEnqueueTime = time;
            return this;
        }

        /** See {@link MessageContent#headers()}. */
        public Builder headers(@Nullable String headers) {
            this.headers = headers;
            return this;
        }

        /** The application properties, with their types. */
        public Builder properties(Map<String, Object> properties) {
            return headers(properties.isEmpty() ? null : Headers.write(properties));
        }

        /** The body; not copied. */
        public Builder body(byte[] body) {
            this.body = body;
            return this;
        }

        /** The message. */
        public MessageContent build() {
            return new MessageContent(this);
        }
    }
}
