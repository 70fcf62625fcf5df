package dev.waybill.walletforge.fraud;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.ledger.Booking;
import dev.waybill.walletforge.ledger.LedgerEvent;
import dev.waybill.walletforge.servicebus.Entities;

/** Opens a case for each large booking. The subscription's SQL filter decides what is large. */
public final class FraudDesk {
    private FraudDesk() {}

    /** Reads the large bookings. */
    public static InboxConsumer.Builder consumer(Installation installation) {
        String insert = "insert into " + installation.table("fraud_case")
                + " (entry_id, wallet_id, amount_cents) values (?, ?, ?)";
        var source = installation.bus().subscription(Entities.FRAUD);
        return installation.consumer("fraud", source, (tx, message) -> {
            LedgerEvent event = LedgerEvent.read(message);
            Booking booking = event.booking();
            tx.execute(insert, event.entryId(), booking.walletId(), booking.amountCents());
            return Verdict.done();
        });
    }
}
