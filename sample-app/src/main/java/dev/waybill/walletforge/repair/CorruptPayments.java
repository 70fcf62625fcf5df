package dev.waybill.walletforge.repair;

import dev.waybill.walletforge.payment.Payment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Payments whose messages say something that the ledger does not understand. Immutable. */
public final class CorruptPayments {
    /** None. */
    public static final CorruptPayments NONE = new CorruptPayments(Map.of(), Set.of());

    private static final int WALLETS = 3;
    private static final int LAST = 3;

    private final Map<String, UnaryOperator<String>> damages;
    private final Set<String> inTheirWallets;

    private CorruptPayments(Map<String, UnaryOperator<String>> damages, Set<String> inTheirWallets) {
        this.damages = Map.copyOf(damages);
        this.inTheirWallets = Set.copyOf(inTheirWallets);
    }

    /**
     * The last payments of the first wallets: in one of them the kind is garbled, in the others the amount is a
     * text.
     */
    public static CorruptPayments lastOfSomeWallets(List<Payment> lines) {
        var byWallet = new LinkedHashMap<String, List<String>>();
        var known = new HashSet<String>();
        for (Payment line : lines) {
            if (known.add(line.txId())) {
                byWallet.computeIfAbsent(line.walletId(), wallet -> new ArrayList<>())
                        .add(line.txId());
            }
        }
        var damages = new HashMap<String, UnaryOperator<String>>();
        var inTheirWallets = new HashSet<String>();
        var wallets = byWallet.values().stream().limit(WALLETS).toList();
        for (int wallet = 0; wallet < wallets.size(); wallet++) {
            UnaryOperator<String> damage = wallet == 0 ? Corruption::garbleKind : Corruption::writeAmountAsText;
            List<String> payments = wallets.get(wallet);
            inTheirWallets.addAll(payments);
            payments.subList(Math.max(0, payments.size() - LAST), payments.size())
                    .forEach(txId -> damages.put(txId, damage));
        }
        return new CorruptPayments(damages, inTheirWallets);
    }

    /** The body of the payment's message. */
    public String body(Payment payment, String body) {
        return damages.getOrDefault(payment.txId(), UnaryOperator.identity()).apply(body);
    }

    /** Whether a payment's wallet has corrupt ones, the payment itself or others. */
    public boolean affectWalletOf(String txId) {
        return inTheirWallets.contains(txId);
    }

    /** How many. */
    public int count() {
        return damages.size();
    }
}
