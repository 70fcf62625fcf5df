package dev.waybill.outbox;

import dev.waybill.message.MessageContent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes bodies on their way: compresses or encrypts them before they are stored, and back on the consumer's side. Writers
 * and consumers of a destination must use the same. Thread-safe.
 *
 * <p>Called while the caller's transaction is open: a codec that asks another machine makes that transaction as
 * long.
 */
public interface PayloadCodec {
    /**
     * The body as it is to be stored and sent. The message's size is checked afterwards.
     *
     * @param message the message as the application built it
     */
    Encoded encode(OutboxMessage message);

    /**
     * The body as the application built it.
     *
     * @throws RuntimeException if the body is not one that {@link #encode} has made of this message. For a
     *     consumer's message this is a failed attempt, as if the handler had thrown it
     */
    byte[] decode(Received message);

    /**
     * A body in its stored form.
     *
     * @param body not copied
     * @param headers application properties that {@link #decode} will need, such as a key's name
     */
    // Handed over once and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record Encoded(byte[] body, Map<String, String> headers) {}

    /**
     * A message as it came: what is the same for every copy of it, however often it is sent, held, replayed or
     * re-driven, unless somebody has changed it.
     *
     * @param id the logical id
     * @param headers the application properties, those of {@link Encoded#headers()} among them
     * @param body what was sent; not copied
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
        /** A message that the database keeps: a held one, or a dead letter. */
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
