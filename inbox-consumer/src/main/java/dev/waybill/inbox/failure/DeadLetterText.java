package dev.waybill.inbox.failure;

import org.jspecify.annotations.Nullable;

/**
 * Reason and description as the broker takes them: they travel among the properties, which together may have 64 KB, so a
 * whole stack trace could make a message that no longer fits.
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

    // PostgreSQL, which stores a hold's reason, takes no NUL; half a surrogate pair nobody takes.
    private static String trimmed(@Nullable String text, int longest) {
        String clean = text == null ? "" : text.replace("\0", "");
        if (clean.length() <= longest) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(longest - 1)) ? longest - 1 : longest;
        return clean.substring(0, end);
    }
}
