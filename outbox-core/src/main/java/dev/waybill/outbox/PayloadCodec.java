package dev.waybill.outbox;

import dev.waybill.message.MessageContent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compresses or encrypts bodies before they are stored, and restores them for the consumer. Writers and consumers of a
 * destination must use the same codec. Thread-safe.
 *
 * <p>Runs inside the caller's transaction, so a slow codec prolongs that transaction.
 */
public interface PayloadCodec {
    /** The body to store and send. The outbox checks the message's size afterwards. */
    Encoded encode(OutboxMessage message);

    /**
     * The body as the application built it.
     *
     * @throws RuntimeException if {@link #encode} did not make this body for this message. For a consumer this is a failed
     * attempt
     */
    byte[] decode(Received message);

    /** A body in its stored form, not copied, with application properties for {@link #decode}, such as a key's name. */
    // Handed over once and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record Encoded(byte[] body, Map<String, String> headers) {}

    /**
     * A received message: the parts that repeats, holds, replays and re-drives keep, unless an operator edits them.
     * {@code headers} include {@link Encoded#headers()}; {@code body} is not copied.
     */
    // Handed over once and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record Received(
            String id,
            @Nullable String session,
            @Nullable String subject,
            @Nullable String contentType,
            Map<String, Object> headers,
            byte[] body) {
        /** A message from the database: held, or a dead letter. */
        public static Received of(MessageContent content) {
            return new Received(
                    content.messageId(),
                    content.sessionId(),
                    content.subject(),
                    content.contentType(),
                    content.properties(),
                    content.body());
        }
    }
}
