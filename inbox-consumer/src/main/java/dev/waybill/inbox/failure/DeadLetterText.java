package dev.waybill.inbox.failure;

import dev.waybill.schema.StoredText;
import org.jspecify.annotations.Nullable;

/**
 * Trims reason and description for the broker. They travel as properties, which share 64 KB, so a whole stack trace could make the
 * message too large.
 */
public final class DeadLetterText {
    private static final int LONGEST_REASON = 256;
    private static final int LONGEST_DESCRIPTION = 4096;

    private DeadLetterText() {}

    public static String reason(@Nullable String text) {
        return trimmed(text, LONGEST_REASON);
    }

    public static String description(@Nullable String text) {
        return trimmed(text, LONGEST_DESCRIPTION);
    }

    // PostgreSQL rejects NUL in a hold's reason. Half a surrogate pair, which a parser quotes from an emoji, has no
    // encoding: the SDK would never send the settlement, and the message would block its session.
    private static String trimmed(@Nullable String text, int longest) {
        String clean = text == null ? "" : StoredText.of(text);
        if (clean.length() <= longest) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(longest - 1)) ? longest - 1 : longest;
        return clean.substring(0, end);
    }
}
