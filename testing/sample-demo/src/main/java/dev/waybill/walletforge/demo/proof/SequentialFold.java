package dev.waybill.walletforge.demo.proof;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The straightforward program: one payment after the other, no threads, no messages, no database. */
final class SequentialFold {
    private SequentialFold() {}

    /** Where every wallet ends, by wallet id. */
    static Map<String, Tables.WalletRow> of(List<Tables.PaymentRow> payments) {
        var wallets = new HashMap<String, Tables.WalletRow>();
        for (Tables.PaymentRow payment : payments) {
            String id = payment.walletId();
            wallets.put(id, next(wallets.getOrDefault(id, new Tables.WalletRow(id, 0, 0, 0)), payment));
        }
        return wallets;
    }

    private static Tables.WalletRow next(Tables.WalletRow wallet, Tables.PaymentRow payment) {
        String id = wallet.walletId();
        if (payment.credit()) {
            return new Tables.WalletRow(id, wallet.cents() + payment.cents(), wallet.applied() + 1, wallet.declined());
        }
        if (payment.cents() > wallet.cents()) {
            return new Tables.WalletRow(id, wallet.cents(), wallet.applied(), wallet.declined() + 1);
        }
        return new Tables.WalletRow(id, wallet.cents() - payment.cents(), wallet.applied() + 1, wallet.declined());
    }

    /** How many wallets differ from what they should be, missing and unexpected ones included. */
    static long differences(List<Tables.PaymentRow> payments, List<Tables.WalletRow> actual) {
        var expected = of(payments);
        long wrong = 0;
        for (Tables.WalletRow wallet : actual) {
            if (!wallet.equals(expected.remove(wallet.walletId()))) {
                wrong++;
            }
        }
        return wrong + expected.size();
    }
}
