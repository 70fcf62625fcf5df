package dev.waybill.inbox;

/** Texts of foreign producers and of exceptions, as PostgreSQL takes them. */
final class EventText {
    private static final char REPLACEMENT = '\uFFFD';

    private EventText() {}

    /** Cut off after so many characters; NUL and halves of surrogate pairs become U+FFFD. */
    static String of(String text, int longest) {
        int end = Math.min(text.length(), longest);
        var clean = new StringBuilder(end);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))) {
                clean.append(c).append(text.charAt(++i));
            } else {
                clean.append(c == '\0' || Character.isSurrogate(c) ? REPLACEMENT : c);
            }
        }
        return clean.toString();
    }
}
