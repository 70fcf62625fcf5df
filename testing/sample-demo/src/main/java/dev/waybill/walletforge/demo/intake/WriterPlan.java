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
    static List<List<Line>> of(List<Payment> payments, int writers) {
        var plan = new ArrayList<List<Line>>();
        for (int i = 0; i < writers; i++) {
            plan.add(new ArrayList<>());
        }
        Map<String, Integer> writerOfTx = new HashMap<>();
        for (int position = 0; position < payments.size(); position++) {
            Payment payment = payments.get(position);
            int writer = writerOfTx.computeIfAbsent(
                    payment.txId(), first -> Math.floorMod(payment.walletId().hashCode(), writers));
            plan.get(writer).add(new Line(position, payment));
        }
        return plan;
    }

    /** A payment and its place in the input, from 0. */
    record Line(int position, Payment payment) {}
}
