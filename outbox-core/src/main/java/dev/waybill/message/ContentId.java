package dev.waybill.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Computes ids from contents. */
public final class ContentId {
    private ContentId() {}

    /** The id of a message without a key of its own: equal if all four values are equal. */
    public static String of(String destination, @Nullable String session, @Nullable String subject, byte[] body) {
        MessageDigest digest = sha256();
        update(digest, destination);
        update(digest, session);
        update(digest, subject);
        digest.update(body);
        return "content-" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
    }

    /** 128 bits of a SHA-256 digest, as 26 digits of base 32. */
    public static String shortDigest(String id, String... origin) {
        MessageDigest digest = sha256();
        update(digest, id);
        for (String part : origin) {
            update(digest, part);
        }
        var bits = ByteBuffer.wrap(digest.digest());
        long high = bits.getLong();
        long low = bits.getLong();
        var digits = new char[26];
        for (int i = digits.length - 1; i >= 0; i--) {
            digits[i] = Character.forDigit((int) low & 31, 32);
            low = low >>> 5 | high << 59;
            high >>>= 5;
        }
        return new String(digits);
    }

    // The digest includes lengths, so that text moved between fields changes it.
    private static void update(MessageDigest digest, @Nullable String field) {
        byte[] bytes = field == null ? new byte[0] : field.getBytes(StandardCharsets.UTF_8);
        digest.update(
                ByteBuffer.allocate(4).putInt(field == null ? -1 : bytes.length).array());
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
