package dev.waybill.walletforge.demo.repair;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.repair.Repair;
import dev.waybill.deadletter.repair.RepairRule;
import dev.waybill.walletforge.payment.PaymentWire;
import java.nio.charset.StandardCharsets;

/** Amounts that were written as a text become numbers again. */
final class AmountRule implements RepairRule {
    @Override
    public String name() {
        return "amounts as text";
    }

    @Override
    public DeadLetterFilter matches() {
        return DeadLetterFilter.open().entity(PaymentWire.QUEUE).bodyContains(" cents\"");
    }

    @Override
    public Repair decide(DeadLetter letter) {
        String body = new String(letter.content().body(), StandardCharsets.UTF_8);
        if (!Corruption.hasAmountAsText(body)) {
            return Repair.leave();
        }
        byte[] fixed = Corruption.writeAmountAsNumber(body).getBytes(StandardCharsets.UTF_8);
        return Repair.fix(letter.content().withBody(fixed));
    }
}
