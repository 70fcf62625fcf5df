package dev.waybill.hold;

import java.util.Locale;

/** The event that a hold waits for. */
public enum HoldState {
    /** For its time; then its owner tries the first message, and goes on with the others if that succeeds. */
    RETRYING,
    /** For an operator. */
    PARKED;

    String column() {
        return name().toLowerCase(Locale.ROOT);
    }

    static HoldState ofColumn(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
