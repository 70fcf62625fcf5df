package dev.waybill.walletforge.demo.intake;

import dev.waybill.walletforge.payment.Payment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Deals the payments out to writers. */
final class WriterPlan {
    private WriterPlan() {}

    /** One list per writer, each in the order of the input. */
    static List<List<Payment>> of(List<Payment> payments, int writers) {
        var plan = new ArrayList<List<Payment>>();
        for (int i = 0; i < writers; i++) {
            plan.add(new ArrayList<>());
        }
        Map<String, Integer> writerOfTx = new HashMap<>();
        for (Payment payment : payments) {
            int writer = writerOfTx.computeIfAbsent(
                    payment.txId(), first -> Math.floorMod(payment.walletId().hashCode(), writers));
            plan.get(writer).add(payment);
        }
        return plan;
    }
}
