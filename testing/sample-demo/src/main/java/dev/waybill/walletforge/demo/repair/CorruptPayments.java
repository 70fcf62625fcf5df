package dev.waybill.walletforge.demo.repair;

import dev.waybill.walletforge.demo.intake.Intake;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.installation.Json;
import dev.waybill.walletforge.payment.Payment;
import dev.waybill.walletforge.payment.Payments;
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

    /** Takes payments in, and in the same transaction spoils the message of a corrupt one. */
    public Intake intake(Installation installation) {
        var payments = new Payments(installation);
        var dsl = installation.dsl();
        String spoil = "update " + installation.schemas().waybill().table("outbox_message")
                + " set payload = convert_to(?, 'UTF8') where message_id = ?";
        return payment -> dsl.transactionResult(tx -> {
            boolean accepted = payments.accept(tx.dsl(), payment);
            UnaryOperator<String> damage = damages.get(payment.txId());
            if (accepted && damage != null) {
                tx.dsl().execute(spoil, damage.apply(Json.write(payment)), installation.messageId(payment.txId()));
            }
            return accepted;
        });
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
