package dev.waybill.standalone.console.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Random texts that nobody can guess, and how they are compared. */
final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;

    private Secrets() {}

    /** 43 letters, digits, hyphens and underscores. */
    static String random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return text(bytes);
    }

    static boolean isForm(String text) {
        return text.matches("[A-Za-z0-9_-]{43}");
    }

    static byte[] digest(String purpose, String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest((purpose + "\n" + text).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Takes as long wherever the texts differ, and whatever their lengths are. */
    static boolean areEqual(String one, String other) {
        return MessageDigest.isEqual(digest("compare", one), digest("compare", other));
    }
}
