package dev.waybill.walletforge.demo.input;

import dev.waybill.walletforge.payment.Payment;
import java.util.HashSet;
import java.util.List;

/**
 * Payments in the order in which they take effect, resends included.
 *
 * @param lines all payments
 * @param transactions how many distinct {@code tx_id}s there are
 */
public record PaymentInput(List<Payment> lines, int transactions) {
    /** Counts the transactions. */
    public static PaymentInput of(List<Payment> lines) {
        var known = new HashSet<String>();
        lines.forEach(line -> known.add(line.txId()));
        return new PaymentInput(List.copyOf(lines), known.size());
    }

    /** Lines that repeat a {@code tx_id}. */
    public int resends() {
        return lines.size() - transactions;
    }
}
