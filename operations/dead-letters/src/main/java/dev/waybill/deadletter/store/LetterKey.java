package dev.waybill.deadletter.store;

import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The key of a letter: a digest of its place on the broker and its body. */
final class LetterKey {
    private LetterKey() {}

    static UUID of(ReceivedDeadLetter letter) {
        @Nullable UUID exported = DeadLetterJson.exportedKey(letter);
        return exported == null ? of(letter.origin(), letter.content().body()) : exported;
    }

    static UUID of(Origin origin, byte[] body) {
        MessageDigest digest = sha256();
        update(digest, origin.entity().path());
        update(digest, origin.brokerMessageId());
        // Service Bus keeps milliseconds.
        digest.update(ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put((byte) (origin.entity().transfer() ? 1 : 0))
                .putLong(origin.sequenceNumber())
                .putLong(origin.enqueuedAt().toEpochMilli())
                .flip());
        var key = ByteBuffer.wrap(digest.digest(body));
        return new UUID(key.getLong(), key.getLong());
    }

    private static void update(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
