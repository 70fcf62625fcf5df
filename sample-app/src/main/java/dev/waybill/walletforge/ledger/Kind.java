package dev.waybill.walletforge.ledger;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Direction of a booking. */
public enum Kind {
    /** Money into the wallet. */
    CREDIT,
    /** Money out of it, if it holds enough. */
    DEBIT;

    /** The label in files, tables and messages. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
