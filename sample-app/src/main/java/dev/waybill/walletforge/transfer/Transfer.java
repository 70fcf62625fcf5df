package dev.waybill.walletforge.transfer;

import dev.waybill.walletforge.payment.Payment;

/** Money from one wallet to another. */
public record Transfer(String transferId, String fromWallet, String toWallet, long amountCents) {
    /** Refuses what could not be carried out. */
    public Transfer {
        Payment.wallet("fromWallet", fromWallet);
        Payment.wallet("toWallet", toWallet);
        if (amountCents < 1 || fromWallet.equals(toWallet)) {
            throw new IllegalArgumentException("A transfer needs two wallets and an amount above zero");
        }
    }
}
