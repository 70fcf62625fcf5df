package dev.waybill.deadletter.edit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A digest and a length, which show whether two texts are equal and not what they are. */
final class TextDigest {
    private TextDigest() {}

    static String of(@Nullable String text) {
        if (text == null) {
            return "none";
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "sha256:" + HexFormat.of().formatHex(Arrays.copyOf(digest, 16)) + ", " + bytes.length + " bytes";
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
