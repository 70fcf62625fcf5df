package dev.waybill.outbox;

import java.util.Map;

/**
 * Changes bodies on their way: compresses or encrypts them before they are stored, and back on the consumer's side. Writers
 * and consumers of a destination must use the same. Thread-safe.
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
     * @param body what was sent
     * @param headers the message's application properties, those of {@link Encoded#headers()} among them
     */
    byte[] decode(byte[] body, Map<String, Object> headers);

    /**
     * A body in its stored form.
     *
     * @param body not copied
     * @param headers application properties that {@link #decode} will need, such as a key's name
     */
    // Handed over once and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record Encoded(byte[] body, Map<String, String> headers) {}
}
