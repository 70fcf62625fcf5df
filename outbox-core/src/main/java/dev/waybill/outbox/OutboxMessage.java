package dev.waybill.outbox;

import dev.waybill.message.ContentId;
import dev.waybill.message.Headers;
import dev.waybill.message.TextRules;
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
 * A message to publish. Immutable.
 *
 * <pre>{@code
 * OutboxMessage.to("wallet-tx").session(walletId).id("debit-" + txId).subject("WalletDebited").json(payload).build()
 * }</pre>
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
        return new Builder(destination, null);
    }

    static Builder to(String destination, @Nullable BodyWriter bodies) {
        return new Builder(destination, bodies);
    }

    public String destination() {
        return values.destination;
    }

    /** The logical id: equal for one business fact, however often it is appended, sent or re-driven. */
    public String id() {
        return id;
    }

    /** The ordering boundary; messages without a session have no order. */
    public Optional<String> session() {
        return Optional.ofNullable(values.session);
    }

    public Optional<String> subject() {
        return Optional.ofNullable(values.subject);
    }

    /** Media type of the body. */
    public Optional<String> contentType() {
        return Optional.ofNullable(values.contentType);
    }

    /** The earliest time at which the message is published; empty for at once. */
    public Optional<Instant> notBefore() {
        return Optional.ofNullable(values.notBefore);
    }

    /** Application properties: String, Long, Double, Boolean, Instant or UUID. */
    public Map<String, Object> headers() {
        return Collections.unmodifiableMap(values.headers);
    }

    /** A copy of the body. */
    public byte[] body() {
        return values.body.clone();
    }

    boolean isScheduled() {
        return values.notBefore != null;
    }

    Builder values() {
        return values;
    }

    /** Keeps the id, even if it was computed from the content. */
    Builder toBuilder() {
        return values.copy().id(id);
    }

    static byte[] encoded(String what, @Nullable String text) {
        @Nullable String broken = text == null ? "has null as its text" : TextRules.halfPair("body", text);
        if (text == null || broken != null) {
            throw new InvalidMessageException("A " + what + " " + broken);
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "message '" + id + "' to '" + values.destination + "'";
    }

    /** Builds a message; {@link #build()} checks it. Not thread-safe. */
    public static final class Builder {
        final String destination;
        private final @Nullable BodyWriter bodies;

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

        private Builder(@Nullable String destination, @Nullable BodyWriter bodies) {
            if (destination == null) {
                throw new InvalidMessageException("A message has null as its destination");
            }
            this.destination = destination;
            this.bodies = bodies;
        }

        /** The logical id, from a business key. At most 128 characters. Required, unless {@link #idFromContent()} is called. */
        public Builder id(String id) {
            this.id = id;
            return this;
        }

        /** Computes the id from destination, session, subject and body, not from headers, for facts without a business key. */
        public Builder idFromContent() {
            this.idFromContent = true;
            return this;
        }

        /** The ordering boundary: messages of a session arrive in commit order. 1 to 128 characters. */
        public Builder session(String session) {
            this.session = session;
            return this;
        }

        /** The broker's PartitionKey, for partitioned entities. With a session it must equal the session. */
        public Builder partitionKey(String partitionKey) {
            this.partitionKey = partitionKey;
            return this;
        }

        /** The broker's Subject (formerly Label). */
        public Builder subject(String subject) {
            this.subject = subject;
            return this;
        }

        public Builder correlationId(String correlationId) {
            this.correlationId = correlationId;
            return this;
        }

        /** The broker's To property. Service Bus does not route by it. */
        public Builder toAddress(String toAddress) {
            this.toAddress = toAddress;
            return this;
        }

        /** The address for replies. */
        public Builder replyTo(String replyTo) {
            this.replyTo = replyTo;
            return this;
        }

        /** The session for replies. */
        public Builder replyToSession(String replyToSession) {
            this.replyToSession = replyToSession;
            return this;
        }

        /** How long the broker keeps the message after its arrival; 1 ms to {@link WireContract#LONGEST_TIME_TO_LIVE}. */
        public Builder timeToLive(Duration timeToLive) {
            this.timeToLive = timeToLive;
            return this;
        }

        /** When the broker makes the message available. Such messages do not follow the session's order. */
        public Builder scheduledEnqueueTime(Instant time) {
            this.scheduledEnqueueTime = time;
            return this;
        }

        /**
         * Schedules the message by the database's clock; a past time means at once. The message enters the order of its session
         * at that time. Until then {@link Outbox#cancel} cancels it, and an append with the same destination and id replaces
         * it.
         */
        public Builder notBefore(Instant time) {
            this.notBefore = time;
            return this;
        }

        /** A null value is refused, as in the other forms. */
        public Builder header(String name, String value) {
            return put(name, value);
        }

        public Builder header(String name, long value) {
            return put(name, value);
        }

        public Builder header(String name, double value) {
            return put(name, value);
        }

        public Builder header(String name, boolean value) {
            return put(name, value);
        }

        /** Service Bus keeps milliseconds. */
        public Builder header(String name, Instant value) {
            return put(name, value);
        }

        public Builder header(String name, UUID value) {
            return put(name, value);
        }

        /** A JSON body, with the content type {@code application/json}. */
        public Builder json(String json) {
            return body(encoded(json), "application/json");
        }

        /** A text body in UTF-8, with the content type {@code text/plain}. */
        public Builder text(String text) {
            return body(encoded(text), "text/plain; charset=utf-8");
        }

        /** A copy of these bytes, with their media type. */
        public Builder body(byte[] body, String contentType) {
            requireBody(body);
            this.body = body.clone();
            this.contentType = contentType;
            return this;
        }

        /**
         * An object, written at once by the outbox's {@link BodyWriter}. The writer may add headers, and sets the subject unless
         * there is one. Needs a message that {@link Outbox#message} has begun.
         *
         * @throws InvalidMessageException if the message was begun without an outbox, or its outbox has no writer
         */
        public Builder body(Object object) {
            requireBody(object);
            if (bodies == null) {
                throw new InvalidMessageException(
                        "A message to '" + destination + "' has an object as its body, and nothing"
                                + " to write it: begin with outbox.message(\"" + destination
                                + "\"), of an Outbox that is built with bodies(...)");
            }
            BodyWriter.Written written = bodies.write(object);
            body = written.body();
            contentType = written.contentType();
            subject = subject == null ? written.subject() : subject;
            written.headers().forEach(this::put);
            return this;
        }

        /** Throws an {@link InvalidMessageException} naming the first violated limit of Service Bus or Waybill. */
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

        private Builder put(String name, @Nullable Object value) {
            if (name == null || value == null) {
                throw new InvalidMessageException("A message to '" + destination + "' has "
                        + (name == null
                                ? "a header without a name"
                                : "no value for the header '" + name + "'; leave it out"));
            }
            if (!Headers.hasForm(value)) {
                throw new InvalidMessageException("A message to '" + destination + "' has a header '" + name
                        + "' of the type " + value.getClass().getName() + ", which Service Bus does not have");
            }
            headers.put(name, value);
            return this;
        }

        private void requireBody(@Nullable Object body) {
            if (body == null) {
                throw new InvalidMessageException("A message to '" + destination + "' has null as its body");
            }
        }

        private byte[] encoded(String text) {
            return OutboxMessage.encoded("message to '" + destination + "'", text);
        }

        private Builder copy() {
            var copy = new Builder(destination, bodies);
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
