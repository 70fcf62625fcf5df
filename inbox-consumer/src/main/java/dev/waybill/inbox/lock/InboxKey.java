package dev.waybill.inbox.lock;

import dev.waybill.inbox.InboundMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** 128 bits of a digest: one narrow key whatever the texts look like that it stands for. */
public final class InboxKey {
    private InboxKey() {}

    /** Of a message, whichever of its copies it is. */
    public static UUID of(String consumer, String id) {
        return of(start(consumer), id);
    }

    /** Of one copy of a message: a re-driven one has another key. */
    public static UUID ofCopy(String consumer, InboundMessage message) {
        MessageDigest digest = start(consumer);
        digest.update(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(message.sequenceNumber())
                .putLong(message.enqueuedAt().toEpochMilli())
                .flip());
        return of(digest, message.id());
    }

    /** Of a session of an entity. */
    public static UUID ofSession(String consumer, String entity, String session) {
        MessageDigest digest = start(consumer);
        add(digest, entity);
        return of(digest, session);
    }

    private static MessageDigest start(String consumer) {
        MessageDigest digest = sha256();
        add(digest, consumer);
        return digest;
    }

    // With its length, so that no two texts in a row can be taken for two others.
    private static void add(MessageDigest digest, String text) {
        byte[] bytes = bytes(text);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    private static UUID of(MessageDigest digest, String last) {
        var key = ByteBuffer.wrap(digest.digest(bytes(last)));
        return new UUID(key.getLong(), key.getLong());
    }

    // UTF-8 has no form for half a surrogate pair. Java writes a question mark, and different texts would have one key.
    private static byte[] bytes(String text) {
        if (text.codePoints().noneMatch(InboxKey::isHalf)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteBuffer halves = ByteBuffer.allocate(Character.BYTES * (1 + text.length()));
        // Begins with bytes that stand in no UTF-8.
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
