package dev.waybill.inbox.event;

import dev.waybill.schema.StoredText;

/** Texts of foreign producers and exceptions, cleaned for PostgreSQL. */
final class EventText {
    private EventText() {}

    static String of(String text, int longest) {
        return StoredText.of(text.length() <= longest ? text : text.substring(0, longest));
    }
}
