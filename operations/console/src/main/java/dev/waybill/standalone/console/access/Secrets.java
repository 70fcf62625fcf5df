package dev.waybill.standalone.console.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Random tokens and their comparison. */
final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;

    private Secrets() {}

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

    /** Compares in constant time. */
    static boolean areEqual(String one, String other) {
        return MessageDigest.isEqual(digest("compare", one), digest("compare", other));
    }
}
