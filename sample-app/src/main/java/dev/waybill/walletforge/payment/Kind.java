package dev.waybill.walletforge.payment;

import java.util.Optional;

/** Direction of a payment. */
public enum Kind {
    /** Money into the wallet. */
    CREDIT("credit"),
    /** Money out of it, if it holds enough. */
    DEBIT("debit");

    private final String label;

    Kind(String label) {
        this.label = label;
    }

    /** The label in files, tables and messages. */
    public String label() {
        return label;
    }

    /** The kind of exactly this label. */
    public static Optional<Kind> of(String label) {
        for (Kind kind : values()) {
            if (kind.label.equals(label)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
