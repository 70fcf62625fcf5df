package dev.waybill.walletforge.demo.proof;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Compares the order in which things first happened with the order of the payments. */
final class OrderAudit {
    private final Map<String, Integer> places = new HashMap<>();

    OrderAudit(List<Tables.PaymentRow> payments) {
        payments.forEach(payment -> places.put(payment.txId(), places.size()));
    }

    /** How many of these came after one that should have come later. Repetitions and strangers do not count. */
    long outOfOrder(Collection<String> txIds) {
        var seen = new HashSet<String>();
        int latest = -1;
        long wrong = 0;
        for (String txId : txIds) {
            Integer place = places.get(txId);
            if (place == null || !seen.add(txId)) {
                continue;
            }
            if (place < latest) {
                wrong++;
            }
            latest = Math.max(latest, place);
        }
        return wrong;
    }

    /** The same for the ledger, wallet by wallet. */
    long outOfOrderEntries(List<Tables.EntryRow> entries) {
        var byWallet = new HashMap<String, List<String>>();
        for (Tables.EntryRow entry : entries) {
            byWallet.computeIfAbsent(entry.walletId(), wallet -> new ArrayList<>())
                    .add(entry.txId());
        }
        return byWallet.values().stream().mapToLong(this::outOfOrder).sum();
    }
}
