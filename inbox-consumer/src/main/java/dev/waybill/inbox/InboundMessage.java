package dev.waybill.inbox;

import dev.waybill.message.BodyText;
import dev.waybill.message.UnreadableBodyException;
import dev.waybill.message.WireContract;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A received message. Thread-safe. */
public interface InboundMessage {
    /** The logical id, equal for all copies of a message; the broker's MessageId if the producer set none. */
    String id();

    /** The MessageId of this copy; built from entity and sequence number if the producer set none. */
    String brokerMessageId();

    /** Path of the queue or subscription that delivered the message. */
    String entity();

    Optional<String> session();

    /** The kind of message (the broker's Subject). */
    Optional<String> subject();

    /** Media type of the body. */
    Optional<String> contentType();

    Optional<String> correlationId();

    /** The address for replies. */
    Optional<String> replyTo();

    /** The session for replies. */
    default Optional<String> replyToSession() {
        return Optional.empty();
    }

    /** The address that the producer intended; the broker does not use it. */
    default Optional<String> to() {
        return Optional.empty();
    }

    default Optional<String> partitionKey() {
        return Optional.empty();
    }

    /** The time to live that the sender set. */
    default Optional<Duration> timeToLive() {
        return Optional.empty();
    }

    /** When the message expires in the entity. */
    default Optional<Instant> expiresAt() {
        return Optional.empty();
    }

    /** When the broker was to make a scheduled message visible. */
    default Optional<Instant> scheduledFor() {
        return Optional.empty();
    }

    /** End of the lock as of the delivery, by the broker's clock. The consumer renews the lock afterwards. */
    default Optional<Instant> lockedUntil() {
        return Optional.empty();
    }

    /** The entity whose dead-letter queue forwarded the message. */
    default Optional<String> deadLetterSource() {
        return Optional.empty();
    }

    /**
     * Application properties: String, Long, Double, Boolean, Instant, UUID, or a foreign producer's own types. An unsigned number is a
     * Long, or an {@link dev.waybill.message.AmqpValue} if it does not fit. A decimal is an AmqpValue with its bits.
     */
    Map<String, Object> headers();

    /** How often the message was re-driven; 0 for an original. */
    default long redriveCount() {
        return headers().get(WireContract.REDRIVE_COUNT) instanceof Number count ? count.longValue() : 0;
    }

    default boolean isRedrive() {
        return redriveCount() > 0;
    }

    /** The dead-letterings before each recent re-drive, oldest first; empty for an original. */
    default List<DeadLetterRecord> redriveHistory() {
        return headers().get(WireContract.REDRIVE_HISTORY) instanceof String json
                ? DeadLetterRecord.read(json)
                : List.of();
    }

    /**
     * A copy of the body. A handler also gets a body that the writer stored in the claim store.
     *
     * @throws dev.waybill.outbox.ClaimMissingException if the claim store no longer has the body
     * @throws IllegalStateException if the consumer has no claim store
     * @throws UnreadableBodyException if the body is an AMQP value or sequence that has no bytes, or in the claim of another message
     */
    byte[] body();

    /**
     * The body as text: in the charset of the content type, else of its byte order mark, else in UTF-8.
     *
     * @throws UnreadableBodyException if it has another charset, as NUL shows where none is named, or is the envelope of an old .NET
     *     client
     */
    default String text() {
        return BodyText.of(body(), contentType().orElse(null));
    }

    /** 1 for the first delivery. */
    long deliveryCount();

    /** The broker's number of the message, unique in its entity. */
    long sequenceNumber();

    /** The sequence number in the first entity, if the broker forwarded the message; otherwise 0 or {@link #sequenceNumber}. */
    default long enqueuedSequenceNumber() {
        return sequenceNumber();
    }

    /** When the broker accepted the message, by the broker's clock. */
    Instant enqueuedAt();
}
