package dev.waybill.hold;

import java.util.Locale;

/** Which half of Waybill holds. */
public enum HoldSide {
    /** Messages that the broker would not take; the scope is the destination. */
    OUTBOX,
    /** Messages that a handler could not handle; the scope is the consumer. */
    INBOX;

    String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
