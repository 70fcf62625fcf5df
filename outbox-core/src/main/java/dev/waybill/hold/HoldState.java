package dev.waybill.hold;

import java.util.Locale;

/** Whether a hold waits for a time or for an operator. */
public enum HoldState {
    /** An attempt follows when the hold is due. */
    RETRYING,
    /** The hold waits for an operator. */
    PARKED;

    String column() {
        return name().toLowerCase(Locale.ROOT);
    }

    static HoldState ofColumn(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
