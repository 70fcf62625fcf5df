package dev.waybill.inbox.event;

import dev.waybill.schema.StoredText;

/** Texts of foreign producers and of exceptions, as PostgreSQL takes them. */
final class EventText {
    private EventText() {}

    /** Cut off after so many characters, as {@link StoredText#of} has them. */
    static String of(String text, int longest) {
        return StoredText.of(text.length() <= longest ? text : text.substring(0, longest));
    }
}
