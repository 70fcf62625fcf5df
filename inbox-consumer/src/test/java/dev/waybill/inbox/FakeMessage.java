package dev.waybill.inbox;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A message without a broker. */
public record FakeMessage(
        String id,
        long deliveryCount,
        long sequenceNumber,
        Map<String, Object> headers,
        Optional<String> session,
        Optional<String> subject,
        Instant enqueuedAt,
        Optional<Instant> lockedUntil)
        implements InboundMessage {
    public FakeMessage(String id, long deliveryCount) {
        this(id, deliveryCount, 1);
    }

    public FakeMessage(String id, long deliveryCount, long sequenceNumber) {
        this(id, deliveryCount, sequenceNumber, Map.of());
    }

    public FakeMessage(String id, long deliveryCount, long sequenceNumber, Map<String, Object> headers) {
        this(
                id,
                deliveryCount,
                sequenceNumber,
                headers,
                Optional.of("s"),
                Optional.empty(),
                Instant.EPOCH,
                Optional.empty());
    }

    public static FakeMessage of(String id) {
        return new FakeMessage(id, 1);
    }

    /** The same in another session, and with a subject. */
    FakeMessage with(String itsSession, String itsSubject) {
        return new FakeMessage(
                id,
                deliveryCount,
                sequenceNumber,
                headers,
                Optional.of(itsSession),
                Optional.of(itsSubject),
                enqueuedAt,
                lockedUntil);
    }

    /** The same, enqueued and locked at these times of the broker's clock. */
    public FakeMessage locked(Instant enqueued, Instant until) {
        return new FakeMessage(
                id, deliveryCount, sequenceNumber, headers, session, subject, enqueued, Optional.of(until));
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
        boolean claimed = headers.containsKey("waybill-claim");
        return claimed ? new byte[0] : id.getBytes(StandardCharsets.UTF_8);
    }
}
