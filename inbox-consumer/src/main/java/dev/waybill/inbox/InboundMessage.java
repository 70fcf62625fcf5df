package dev.waybill.inbox;

import dev.waybill.message.WireContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A message as it came from the broker. Thread-safe. */
public interface InboundMessage {
    /**
     * The logical id, the same for every copy of the message; the broker's MessageId where a producer set none.
     */
    String id();

    /** The MessageId of this copy; where a producer set none, one made of entity and sequence number. */
    String brokerMessageId();

    /** Path of the queue or subscription that handed it out. */
    String entity();

    /** The session the message belongs to. */
    Optional<String> session();

    /** The kind of message. */
    Optional<String> subject();

    /** Media type of the body. */
    Optional<String> contentType();

    /** The broker's CorrelationId. */
    Optional<String> correlationId();

    /** Where an answer should go. */
    Optional<String> replyTo();

    /** The session an answer should go to. */
    default Optional<String> replyToSession() {
        return Optional.empty();
    }

    /** The address it was meant for; the broker does not use it. */
    default Optional<String> to() {
        return Optional.empty();
    }

    /** Which partition of a partitioned entity it went to. */
    default Optional<String> partitionKey() {
        return Optional.empty();
    }

    /** How long it was to live, if its sender said so. */
    default Optional<Duration> timeToLive() {
        return Optional.empty();
    }

    /** When it would have expired in the entity. */
    default Optional<Instant> expiresAt() {
        return Optional.empty();
    }

    /** When it was to become visible, if it was scheduled. */
    default Optional<Instant> scheduledFor() {
        return Optional.empty();
    }

    /** When its lock ended at the time it was received, by the broker's clock; it is prolonged meanwhile. */
    default Optional<Instant> lockedUntil() {
        return Optional.empty();
    }

    /** The entity whose dead-letter queue passed it on. */
    default Optional<String> deadLetterSource() {
        return Optional.empty();
    }

    /**
     * Application properties: String, Long, Double, Boolean, Instant, UUID, or what a foreign producer sent.
     * Unsigned numbers are a Long, or an {@link dev.waybill.message.AmqpValue} if they do not fit; so are
     * decimals, by their bits.
     */
    Map<String, Object> headers();

    /** How often it has been dead-lettered and sent anew; 0 for an original. */
    default long redriveCount() {
        return headers().get(WireContract.REDRIVE_COUNT) instanceof Number count ? count.longValue() : 0;
    }

    /** Whether it has been dead-lettered and sent anew. */
    default boolean isRedrive() {
        return redriveCount() > 0;
    }

    /** The dead letters that it was before each of its last re-drives, oldest first; empty for an original. */
    default List<DeadLetterRecord> redriveHistory() {
        return headers().get(WireContract.REDRIVE_HISTORY) instanceof String json
                ? DeadLetterRecord.read(json)
                : List.of();
    }

    /**
     * The body; a copy. For a handler also the one that the writer has kept outside the message.
     *
     * @throws dev.waybill.outbox.ClaimMissingException if that is not in the claim store any more
     * @throws IllegalStateException if the consumer has no claim store
     */
    byte[] body();

    /** The body as UTF-8 text. */
    default String text() {
        return new String(body(), StandardCharsets.UTF_8);
    }

    /** Which delivery this is: 1 for the first. */
    long deliveryCount();

    /** The broker's number of the message, unique in its entity. */
    long sequenceNumber();

    /**
     * The number it had where it was first enqueued, if the broker passed it on from there; otherwise 0 or its
     * own.
     */
    default long enqueuedSequenceNumber() {
        return sequenceNumber();
    }

    /** When the broker took the message, by the broker's clock. */
    Instant enqueuedAt();
}
