package dev.waybill.walletforge.demo.proof;

/** The wallets between which the demo transfers. */
public final class TransferWallets {
    private TransferWallets() {}

    /** What their names begin with, and no others: it has the name of the run. */
    public static String prefix(String run) {
        return "transfer:" + run + ":";
    }
}
