package dev.waybill.inbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** 128 bits of a digest over consumer and logical id: one narrow key whatever the ids look like. */
final class InboxKey {
    private InboxKey() {}

    static UUID of(String consumer, String id) {
        byte[] name = consumer.getBytes(StandardCharsets.UTF_8);
        MessageDigest digest = sha256();
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).flip());
        digest.update(name);
        var key = ByteBuffer.wrap(digest.digest(id.getBytes(StandardCharsets.UTF_8)));
        return new UUID(key.getLong(), key.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
