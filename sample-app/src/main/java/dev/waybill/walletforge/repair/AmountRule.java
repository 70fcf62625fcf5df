package dev.waybill.walletforge.repair;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.repair.Repair;
import dev.waybill.deadletter.repair.RepairRule;
import dev.waybill.walletforge.servicebus.Entities;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** One sender writes amounts as text, {@code "250 cents"}. */
public final class AmountRule implements RepairRule {
    private static final Pattern TEXT = Pattern.compile("\"amountCents\":\"(\\d+) cents\"");

    @Override
    public String name() {
        return "amounts as text";
    }

    @Override
    public DeadLetterFilter matches() {
        return DeadLetterFilter.open().entity(Entities.WALLET_TX).bodyContains(" cents\"");
    }

    @Override
    public Repair decide(DeadLetter letter) {
        var amount = TEXT.matcher(new String(letter.content().body(), StandardCharsets.UTF_8));
        if (!amount.find()) {
            return Repair.leave();
        }
        String fixed = amount.replaceFirst("\"amountCents\":$1");
        return Repair.fix(letter.content().withBody(fixed.getBytes(StandardCharsets.UTF_8)));
    }
}
