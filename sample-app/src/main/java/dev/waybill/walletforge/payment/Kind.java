package dev.waybill.walletforge.payment;

import java.util.Optional;

/** Direction of a payment. */
public enum Kind {
    /** Money into the wallet. */
    CREDIT("credit"),
    /** Money out of it, if it holds enough. */
    DEBIT("debit");

    private final String word;

    Kind(String word) {
        this.word = word;
    }

    /** The word in files, tables and messages. */
    public String word() {
        return word;
    }

    /** The kind of exactly this word. */
    public static Optional<Kind> of(String word) {
        for (Kind kind : values()) {
            if (kind.word.equals(word)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
