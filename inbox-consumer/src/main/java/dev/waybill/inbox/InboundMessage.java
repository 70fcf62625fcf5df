package dev.waybill.inbox;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A message as it came from the broker. */
public interface InboundMessage {
    /** The logical id, the same for every copy of the message; the broker's MessageId where a producer set none. */
    String id();

    /** The MessageId of this copy. */
    String brokerMessageId();

    /** The session the message belongs to. */
    Optional<String> session();

    /** What kind of message it is. */
    Optional<String> subject();

    /** Media type of the body. */
    Optional<String> contentType();

    /** The broker's CorrelationId. */
    Optional<String> correlationId();

    /** Where an answer should go. */
    Optional<String> replyTo();

    /** Application properties: String, Long, Double, Boolean, Instant, UUID, or whatever a foreign producer sent. */
    Map<String, Object> headers();

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

    /** When the broker took the message, by the broker's clock. */
    Instant enqueuedAt();
}
