package dev.waybill.servicebus.embedded.filter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A LIKE pattern: {@code %} matches any text, {@code _} any one character. */
final class LikePattern {

    private static final int ANY_TEXT = -1;
    private static final int ANY_CHARACTER = -2;

    /** No character has this code. */
    private static final int NO_ESCAPE = -1;

    private final int[] parts;

    private LikePattern(int[] parts) {
        this.parts = parts;
    }

    /** Throws {@link FilterEvaluationException} on an invalid pattern or escape character. */
    static LikePattern of(Object pattern, @Nullable Object escape) {
        if (!(pattern instanceof String text)) {
            throw new FilterEvaluationException("LIKE takes a pattern as text, not " + Scalar.typeName(pattern));
        }
        if (escape == null) {
            return new LikePattern(parts(text, NO_ESCAPE));
        }
        if (escape instanceof String character && character.length() == 1) {
            return new LikePattern(parts(text, character.charAt(0)));
        }
        throw new FilterEvaluationException("ESCAPE takes text of one character");
    }

    private static int[] parts(String pattern, int escape) {
        int[] parts = new int[pattern.length()];
        int count = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == escape) {
                i++;
                if (i == pattern.length()) {
                    throw new FilterEvaluationException("The LIKE pattern ends with its escape character");
                }
                parts[count++] = pattern.charAt(i);
            } else {
                parts[count++] = part(c);
            }
        }
        return Arrays.copyOf(parts, count);
    }

    private static int part(char c) {
        return switch (c) {
            case '%' -> ANY_TEXT;
            case '_' -> ANY_CHARACTER;
            default -> c;
        };
    }

    /**
     * On a mismatch, the latest % takes one more character. Earlier ones never need a retry, so hostile patterns cost at most the
     * product of both lengths.
     */
    boolean matches(String text) {
        int at = 0;
        int part = 0;
        int partAfterAnyText = -1;
        int resumeAt = 0;
        while (at < text.length()) {
            if (part < parts.length && parts[part] == ANY_TEXT) {
                partAfterAnyText = ++part;
                resumeAt = at;
            } else if (part < parts.length && (parts[part] == ANY_CHARACTER || parts[part] == text.charAt(at))) {
                part++;
                at++;
            } else if (partAfterAnyText >= 0) {
                part = partAfterAnyText;
                at = ++resumeAt;
            } else {
                return false;
            }
        }
        return onlyAnyTextFrom(part);
    }

    private boolean onlyAnyTextFrom(int start) {
        for (int i = start; i < parts.length; i++) {
            if (parts[i] != ANY_TEXT) {
                return false;
            }
        }
        return true;
    }
}
