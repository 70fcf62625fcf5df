package dev.waybill.inbox;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A message without a broker. */
record FakeMessage(String id, long deliveryCount, long sequenceNumber, Map<String, Object> headers)
        implements InboundMessage {
    FakeMessage(String id, long deliveryCount) {
        this(id, deliveryCount, 1);
    }

    FakeMessage(String id, long deliveryCount, long sequenceNumber) {
        this(id, deliveryCount, sequenceNumber, Map.of());
    }

    static FakeMessage of(String id) {
        return new FakeMessage(id, 1);
    }

    @Override
    public String brokerMessageId() {
        return id;
    }

    @Override
    public String entity() {
        return "q";
    }

    @Override
    public Optional<String> session() {
        return Optional.of("s");
    }

    @Override
    public Optional<String> subject() {
        return Optional.empty();
    }

    @Override
    public Optional<String> contentType() {
        return Optional.empty();
    }

    @Override
    public Optional<String> correlationId() {
        return Optional.empty();
    }

    @Override
    public Optional<String> replyTo() {
        return Optional.empty();
    }

    @Override
    public byte[] body() {
        return id.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Instant enqueuedAt() {
        return Instant.EPOCH;
    }
}
