package dev.waybill.hold;

import java.util.Locale;

/** The side of Waybill that a hold belongs to. */
public enum HoldSide {
    /** Messages that could not be published; the scope is the destination. */
    OUTBOX,
    /** Messages that could not be handled; the scope is the consumer. */
    INBOX;

    String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
