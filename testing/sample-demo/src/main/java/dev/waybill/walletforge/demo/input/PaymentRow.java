package dev.waybill.walletforge.demo.input;

import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVRecord;

/** Four fields become a payment, or a reason why not. */
final class PaymentRow {
    static final List<String> HEADER = List.of("tx_id", "wallet_id", "kind", "amount_cents");

    private static final Pattern CENTS = Pattern.compile("[0-9]+");

    private PaymentRow() {}

    static boolean isHeader(CSVRecord record) {
        return record.toList().equals(HEADER);
    }

    /** Throws IllegalArgumentException with the reason. */
    static Payment parse(CSVRecord record) {
        if (record.size() != HEADER.size()) {
            throw new IllegalArgumentException(
                    "expected 4 fields (tx_id,wallet_id,kind,amount_cents), found " + record.size());
        }
        return new Payment(
                id("tx_id", record.get(0), Payment.MAX_TX_ID),
                id("wallet_id", record.get(1), Payment.MAX_WALLET_ID),
                kind(record.get(2)),
                cents(record.get(3)));
    }

    private static String id(String name, String value, int maximum) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + " is empty");
        }
        if (value.length() > maximum) {
            throw new IllegalArgumentException(
                    name + " has " + value.length() + " characters; at most " + maximum + " are allowed");
        }
        // PostgreSQL stores no NUL, and the rest of them would hide in the output.
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(name + " has a control character in it");
        }
        return value;
    }

    private static Kind kind(String label) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kind must be credit or debit, not '" + label + "'"));
    }

    private static long cents(String text) {
        if (!CENTS.matcher(text).matches()) {
            throw new IllegalArgumentException("amount_cents must be a whole number of cents, not '" + text + "'");
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("amount_cents " + text + " is more than " + Long.MAX_VALUE, e);
        }
    }
}
