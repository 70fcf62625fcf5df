package dev.waybill.hold;

/**
 * Why something is held.
 *
 * @param reason a short name, the same for the same kind of trouble, such as an exception's type
 * @param description what a person needs to know; cut off after 8,000 characters
 */
public record Cause(String reason, String description) {
    private static final int LONGEST_REASON = 300;
    private static final int LONGEST_DESCRIPTION = 8_000;

    /** Cuts off what is too long and leaves out NUL, which PostgreSQL does not store. */
    public Cause {
        reason = storable(reason, LONGEST_REASON);
        description = storable(description, LONGEST_DESCRIPTION);
    }

    private static String storable(String text, int longest) {
        return (text.length() <= longest ? text : text.substring(0, longest)).replace('\0', ' ');
    }
}
