package dev.waybill.outbox;

import dev.waybill.message.ContentId;
import dev.waybill.message.WireContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to be published: where to, under which id, in which session, saying what. Immutable.
 *
 * <pre>{@code
 * OutboxMessage.to("wallet-tx").session(walletId).id("debit-" +
 * txId).subject("WalletDebited").json(payload).build() }</pre>
 */
public final class OutboxMessage {
    private final Builder values;
    private final String id;

    OutboxMessage(Builder builder) {
        values = builder.copy();
        id = builder.resolveId();
    }

    /** Starts a message to a queue or topic. */
    public static Builder to(String destination) {
        return new Builder(destination);
    }

    /** The queue or topic. */
    public String destination() {
        return values.destination;
    }

    /** The logical id: the same for the same business fact, however often it is appended, sent or re-driven. */
    public String id() {
        return id;
    }

    /** The ordering boundary; messages without one have no order. */
    public Optional<String> session() {
        return Optional.ofNullable(values.session);
    }

    /** The kind of message. */
    public Optional<String> subject() {
        return Optional.ofNullable(values.subject);
    }

    /** Media type of the body. */
    public Optional<String> contentType() {
        return Optional.ofNullable(values.contentType);
    }

    /** Before when the message is not even in the outbox; empty for one that is to be published at once. */
    public Optional<Instant> notBefore() {
        return Optional.ofNullable(values.notBefore);
    }

    /** Application properties: String, Long, Double, Boolean, Instant or UUID. */
    public Map<String, Object> headers() {
        return Collections.unmodifiableMap(values.headers);
    }

    /** The body; a copy. */
    public byte[] body() {
        return values.body.clone();
    }

    boolean isScheduled() {
        return values.notBefore != null;
    }

    Builder values() {
        return values;
    }

    /** The same message to be changed, under the same id whatever the change. */
    Builder toBuilder() {
        return values.copy().id(id);
    }

    @Override
    public String toString() {
        return "message '" + id + "' to '" + values.destination + "'";
    }

    /** Collects a message; {@link #build()} checks it whole. Not thread-safe. */
    public static final class Builder {
        final String destination;

        @Nullable String id;

        @Nullable String session;

        @Nullable String partitionKey;

        @Nullable String subject;

        @Nullable String contentType;

        @Nullable String correlationId;

        @Nullable String toAddress;

        @Nullable String replyTo;

        @Nullable String replyToSession;

        @Nullable Duration timeToLive;

        @Nullable Instant scheduledEnqueueTime;

        @Nullable Instant notBefore;

        Map<String, Object> headers = new LinkedHashMap<>();
        byte[] body = new byte[0];
        private boolean idFromContent;

        private Builder(String destination) {
            this.destination = destination;
        }

        /**
         * The logical id, made from a business key. At most 128 characters.
         *
         * @see #idFromContent()
         */
        public Builder id(String id) {
            this.id = id;
            return this;
        }

        /**
         * Makes the id from destination, session, subject and body, for facts without a key of their own. Two
         * messages that are equal in all four are then one.
         */
        public Builder idFromContent() {
            this.idFromContent = true;
            return this;
        }

        /** The ordering boundary: messages of one session arrive in commit order. 1 to 128 characters. */
        public Builder session(String session) {
            this.session = session;
            return this;
        }

        /** The broker's PartitionKey, for partitioned entities. With a session it must be the session id. */
        public Builder partitionKey(String partitionKey) {
            this.partitionKey = partitionKey;
            return this;
        }

        /** The broker's Subject (formerly Label). */
        public Builder subject(String subject) {
            this.subject = subject;
            return this;
        }

        /** The broker's CorrelationId. */
        public Builder correlationId(String correlationId) {
            this.correlationId = correlationId;
            return this;
        }

        /** The broker's To property, which Service Bus itself does not route by. */
        public Builder toAddress(String toAddress) {
            this.toAddress = toAddress;
            return this;
        }

        /** Where an answer should go. */
        public Builder replyTo(String replyTo) {
            this.replyTo = replyTo;
            return this;
        }

        /** Session that an answer should carry. */
        public Builder replyToSession(String replyToSession) {
            this.replyToSession = replyToSession;
            return this;
        }

        /**
         * How long the broker keeps the message, from its arrival there; positive, at most
         * {@link WireContract#LONGEST_TIME_TO_LIVE}.
         */
        public Builder timeToLive(Duration timeToLive) {
            this.timeToLive = timeToLive;
            return this;
        }

        /** The broker holds the message back until then; such messages are outside the session's order. */
        public Builder scheduledEnqueueTime(Instant time) {
            this.scheduledEnqueueTime = time;
            return this;
        }

        /**
         * Lets the message wait in the database until then, by the database's clock, and take its place in the
         * order of its session only then. Until the relay has moved it, {@link Outbox#cancel} takes it back, and
         * appending another with the same destination and id takes its place. A time that has passed makes it due
         * at once.
         */
        public Builder notBefore(Instant time) {
            this.notBefore = time;
            return this;
        }

        /** Adds an application property. */
        public Builder header(String name, String value) {
            return put(name, value);
        }

        /** Adds an application property. */
        public Builder header(String name, long value) {
            return put(name, value);
        }

        /** Adds an application property. */
        public Builder header(String name, double value) {
            return put(name, value);
        }

        /** Adds an application property. */
        public Builder header(String name, boolean value) {
            return put(name, value);
        }

        /** Adds an application property; Service Bus keeps milliseconds. */
        public Builder header(String name, Instant value) {
            return put(name, value);
        }

        /** Adds an application property. */
        public Builder header(String name, UUID value) {
            return put(name, value);
        }

        /** A body of JSON text. */
        public Builder json(String json) {
            return body(json.getBytes(StandardCharsets.UTF_8), "application/json");
        }

        /** A body of plain text, as UTF-8. */
        public Builder text(String text) {
            return body(text.getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8");
        }

        /** A body of bytes and its media type. */
        public Builder body(byte[] body, String contentType) {
            this.body = body.clone();
            this.contentType = contentType;
            return this;
        }

        /**
         * The message.
         *
         * @throws InvalidMessageException naming the first thing that Service Bus or Waybill would refuse
         */
        public OutboxMessage build() {
            var message = new OutboxMessage(this);
            MessageRules.check(message);
            return message;
        }

        private String resolveId() {
            if (id != null) {
                return id;
            }
            if (!idFromContent) {
                throw new InvalidMessageException("A message to '" + destination
                        + "' has no id: give one made from a business key, or ask for idFromContent()");
            }
            return ContentId.of(destination, session, subject, body);
        }

        private Builder put(String name, Object value) {
            headers.put(name, value);
            return this;
        }

        private Builder copy() {
            var copy = new Builder(destination);
            copy.id = id;
            copy.session = session;
            copy.partitionKey = partitionKey;
            copy.subject = subject;
            copy.contentType = contentType;
            copy.correlationId = correlationId;
            copy.toAddress = toAddress;
            copy.replyTo = replyTo;
            copy.replyToSession = replyToSession;
            copy.timeToLive = timeToLive;
            copy.scheduledEnqueueTime = scheduledEnqueueTime;
            copy.notBefore = notBefore;
            copy.headers = new LinkedHashMap<>(headers);
            copy.body = body;
            return copy;
        }
    }
}
