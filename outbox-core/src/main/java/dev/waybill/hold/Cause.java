package dev.waybill.hold;

/**
 * Why a session or message is held: a reason such as an exception's type, at most 300 characters, and details, at most 8,000.
 */
public record Cause(String reason, String description) {
    private static final int LONGEST_REASON = 300;
    private static final int LONGEST_DESCRIPTION = 8_000;

    /** Truncates long texts and replaces NUL, which PostgreSQL cannot store. */
    public Cause {
        reason = storable(reason, LONGEST_REASON);
        description = storable(description, LONGEST_DESCRIPTION);
    }

    private static String storable(String text, int longest) {
        return (text.length() <= longest ? text : text.substring(0, longest)).replace('\0', ' ');
    }
}
