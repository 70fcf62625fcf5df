package dev.waybill.inbox.lock;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.message.BrokerNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** A 128-bit digest as a narrow key for texts of any length. */
public final class InboxKey {
    private InboxKey() {}

    /** All copies of a message share this key. */
    public static UUID of(String consumer, String id) {
        return of(start(consumer), id);
    }

    /** A re-driven copy of a message has another key. */
    public static UUID ofCopy(String consumer, InboundMessage message) {
        MessageDigest digest = start(consumer);
        digest.update(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(message.sequenceNumber())
                .putLong(message.enqueuedAt().toEpochMilli())
                .flip());
        return of(digest, message.id());
    }

    public static UUID ofSession(String consumer, String entity, String session) {
        MessageDigest digest = start(consumer);
        add(digest, BrokerNames.key(entity));
        return of(digest, BrokerNames.key(session));
    }

    private static MessageDigest start(String consumer) {
        MessageDigest digest = sha256();
        add(digest, consumer);
        return digest;
    }

    // The length prefix keeps different sequences of texts distinct.
    private static void add(MessageDigest digest, String text) {
        byte[] bytes = bytes(text);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    private static UUID of(MessageDigest digest, String last) {
        var key = ByteBuffer.wrap(digest.digest(bytes(last)));
        return new UUID(key.getLong(), key.getLong());
    }

    // UTF-8 cannot encode an unpaired surrogate. Java writes a question mark, and different texts would share a key.
    private static byte[] bytes(String text) {
        if (text.codePoints().noneMatch(InboxKey::isHalf)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteBuffer halves = ByteBuffer.allocate(Character.BYTES * (1 + text.length()));
        // The prefix contains bytes that never occur in UTF-8.
        halves.asCharBuffer().put('\uFEFF').put(text);
        return halves.array();
    }

    private static boolean isHalf(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
