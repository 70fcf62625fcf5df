package dev.waybill.message;

import org.jspecify.annotations.Nullable;

/** Texts that neither PostgreSQL nor AMQP can hold. */
public final class TextRules {
    private TextRules() {}

    /** What is wrong with a text, as a predicate; null for a text that can be stored and sent. */
    public static @Nullable String violation(String field, @Nullable String text) {
        if (text == null) {
            return null;
        }
        int nul = text.indexOf('\0');
        return nul >= 0 ? "has a NUL character in its " + field + ", at place " + nul : halfPair(field, text);
    }

    /** As {@link #violation}, for a text that may contain NUL. */
    public static @Nullable String halfPair(String field, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && Character.charCount(text.codePointAt(i++)) == 1) {
                return "has half of a surrogate pair in its " + field + ", at place " + (i - 1)
                        + "; UTF-8 cannot encode it";
            }
        }
        return null;
    }

    /** What no symbol of AMQP can carry: the SDK sends '?' for it, or a frame that the broker cannot read. */
    static @Nullable String beyondAscii(String field, @Nullable String text) {
        for (int i = 0; text != null && i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
                return "has the " + field + " '" + shown(text) + "' with a character other than U+0020 to U+007E, at"
                        + " place " + i + "; AMQP takes no other there";
            }
        }
        return null;
    }

    /** A text for a message about it: without what cannot be shown. */
    static String shown(String text) {
        var shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> shown.appendCodePoint(isShown(c) ? c : '?'));
        return shown.toString();
    }

    private static boolean isShown(int codePoint) {
        return !Character.isISOControl(codePoint)
                && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
    }
}
