package dev.waybill.test;

import dev.waybill.inbox.InboundMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message without a broker, for tests of handlers. Immutable. */
public final class TestMessage implements InboundMessage {
    private final Builder values;
    private final Map<String, Object> headers;

    private TestMessage(Builder values) {
        this.values = values;
        headers = Map.copyOf(values.headers);
    }

    /** A message with an id and defaults. */
    public static Builder of(String id) {
        return new Builder(id);
    }

    @Override
    public String id() {
        return values.id;
    }

    @Override
    public String brokerMessageId() {
        return values.id;
    }

    @Override
    public String entity() {
        return values.entity;
    }

    @Override
    public Optional<String> session() {
        return Optional.ofNullable(values.session);
    }

    @Override
    public Optional<String> subject() {
        return Optional.ofNullable(values.subject);
    }

    @Override
    public Optional<String> contentType() {
        return Optional.ofNullable(values.contentType);
    }

    @Override
    public Optional<String> correlationId() {
        return Optional.ofNullable(values.correlationId);
    }

    @Override
    public Optional<String> replyTo() {
        return Optional.ofNullable(values.replyTo);
    }

    @Override
    public Map<String, Object> headers() {
        return headers;
    }

    @Override
    public byte[] body() {
        return values.body.clone();
    }

    @Override
    public long deliveryCount() {
        return values.deliveryCount;
    }

    @Override
    public long sequenceNumber() {
        return values.sequenceNumber;
    }

    @Override
    public Instant enqueuedAt() {
        return values.enqueuedAt;
    }

    @Override
    public String toString() {
        return "message '" + values.id + "'";
    }

    public static final class Builder {
        private final String id;
        private final Map<String, Object> headers = new LinkedHashMap<>();
        private String entity = "test";
        private @Nullable String session;
        private @Nullable String subject;
        private @Nullable String contentType;
        private @Nullable String correlationId;
        private @Nullable String replyTo;
        private byte[] body = {};
        private long deliveryCount = 1;
        private long sequenceNumber = 1;
        private Instant enqueuedAt = Instant.EPOCH;

        private Builder(String id) {
            this.id = id;
        }

        /** The queue or subscription. Default: {@code test}. */
        public Builder entity(String path) {
            entity = path;
            return this;
        }

        public Builder session(String name) {
            session = name;
            return this;
        }

        public Builder subject(String text) {
            subject = text;
            return this;
        }

        public Builder correlationId(String text) {
            correlationId = text;
            return this;
        }

        public Builder replyTo(String address) {
            replyTo = address;
            return this;
        }

        /**
         * An application property: String, Long, Double, Boolean, Instant or UUID, as they come from the broker.
         */
        public Builder header(String name, Object value) {
            headers.put(name, value);
            return this;
        }

        public Builder json(String json) {
            return body(json.getBytes(StandardCharsets.UTF_8), "application/json");
        }

        public Builder text(String text) {
            return body(text.getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8");
        }

        public Builder body(byte[] bytes, String type) {
            body = bytes.clone();
            contentType = type;
            return this;
        }

        public Builder deliveryCount(long count) {
            deliveryCount = count;
            return this;
        }

        /** Default: 1. */
        public Builder sequenceNumber(long number) {
            sequenceNumber = number;
            return this;
        }

        /** Default: the epoch. */
        public Builder enqueuedAt(Instant time) {
            enqueuedAt = time;
            return this;
        }

        public TestMessage build() {
            return new TestMessage(copy());
        }

        private Builder copy() {
            var copy = new Builder(id);
            copy.headers.putAll(headers);
            copy.entity = entity;
            copy.session = session;
            copy.subject = subject;
            copy.contentType = contentType;
            copy.correlationId = correlationId;
            copy.replyTo = replyTo;
            copy.body = body;
            copy.deliveryCount = deliveryCount;
            copy.sequenceNumber = sequenceNumber;
            copy.enqueuedAt = enqueuedAt;
            return copy;
        }
    }
}
