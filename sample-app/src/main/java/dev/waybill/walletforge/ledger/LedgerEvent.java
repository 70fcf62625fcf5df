package dev.waybill.walletforge.ledger;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.installation.Json;
import dev.waybill.walletforge.servicebus.Entities;

/**
 * A ledger entry, as the topic's readers see it.
 *
 * @param entryId grows with each entry of a wallet
 * @param outcome {@code applied} or {@code declined}
 * @param bookedAt ISO 8601, by the database's clock
 */
public record LedgerEvent(long entryId, Booking booking, String outcome, long balanceAfter, String bookedAt) {
    static final String APPLIED = "applied";

    /** The event of a message. */
    public static LedgerEvent read(InboundMessage message) {
        return Json.read(message.body(), LedgerEvent.class);
    }

    /** Its message. The subscriptions' filters look at the headers. */
    OutboxMessage message(Installation installation) {
        return OutboxMessage.to(Entities.WALLET_EVENTS)
                .session(booking.walletId())
                .id(installation.messageId(booking.txId()))
                .subject(outcome)
                .header("amountCents", booking.amountCents())
                .header("audience", outcome.equals(APPLIED) ? "internal" : "customer")
                .json(Json.write(this))
                .build();
    }
}
