package dev.waybill.walletforge.demo.run;

import dev.waybill.walletforge.demo.installation.NamedInstallation;
import dev.waybill.walletforge.demo.proof.TransferWallets;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.ledger.Wallets;
import dev.waybill.walletforge.payment.Payment;
import dev.waybill.walletforge.payment.Payments;
import dev.waybill.walletforge.transfer.Transfer;
import dev.waybill.walletforge.transfer.Transfers;
import java.util.Queue;
import java.util.Random;

/**
 * Transfers between wallets of their own, after the payments: whether a payment is declined must not depend on how far a
 * transfer is. One wallet in eight is closed, so that some credits are refused; some debits exceed the balance.
 */
record TransferRun(NamedInstallation installation, long seed) {
    private static final int WALLETS = 16;
    private static final int CLOSED_EVERY = 8;
    private static final long FUNDS = 100_000;
    private static final int LARGEST = 60_000;
    private static final int PAYMENTS_A_TRANSFER = 20;

    void run(long payments, Queue<String> events) {
        if (payments == 0) {
            return;
        }
        var random = new Random(seed);
        fund();
        long transfers = payments / PAYMENTS_A_TRANSFER + 1;
        var requests = new Transfers(installation);
        for (int i = 1; i <= transfers; i++) {
            int from = random.nextInt(WALLETS);
            int to = (from + 1 + random.nextInt(WALLETS - 1)) % WALLETS;
            var transfer = new Transfer("t" + i, wallet(from), wallet(to), 1 + random.nextInt(LARGEST));
            installation.dsl().transaction(tx -> requests.request(tx.dsl(), transfer));
        }
        events.add("transfers requested: " + transfers);
    }

    private void fund() {
        var payments = new Payments(installation);
        var wallets = new Wallets(installation);
        for (int i = 0; i < WALLETS; i++) {
            String wallet = wallet(i);
            if (i % CLOSED_EVERY == CLOSED_EVERY - 1) {
                wallets.close(wallet);
            }
            var funds = new Payment(wallet, wallet, Kind.CREDIT, FUNDS);
            installation.dsl().transaction(tx -> payments.accept(tx.dsl(), funds));
        }
    }

    private String wallet(int number) {
        return TransferWallets.prefix(installation.name()) + number;
    }
}
