package dev.waybill.walletforge.payment;

import dev.waybill.outbox.OutboxMessage;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.installation.Json;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.servicebus.Entities;

/**
 * Money into a wallet or out of it.
 *
 * @param txId the client's key, at most {@link #MAX_TX_ID} characters; a second payment with it is a resend
 * @param amountCents not negative
 */
public record Payment(String txId, String walletId, Kind kind, long amountCents) {
    /** Leaves room for the installation's name in a message id of at most 128 characters. */
    public static final int MAX_TX_ID = 119;

    public static final int MAX_WALLET_ID = 128;

    static final String CREDITED = "WalletCredited";
    static final String DEBITED = "WalletDebited";

    /** Refuses what the ledger could not book. */
    public Payment {
        wallet("walletId", walletId);
        if (amountCents < 0) {
            throw new IllegalArgumentException("amountCents must not be negative");
        }
    }

    /** A wallet's id is the session id, which Service Bus compares without case: two wallets may not differ in it alone. */
    public static String wallet(String name, String id) {
        if (!id.matches("\\P{Lu}*")) {
            throw new IllegalArgumentException(name + " must have no capital letters");
        }
        return Json.checked(name, id, MAX_WALLET_ID);
    }

    OutboxMessage message(Installation installation) {
        return OutboxMessage.to(Entities.WALLET_TX)
                .session(walletId)
                .id(installation.messageId(txId))
                .subject(kind == Kind.CREDIT ? CREDITED : DEBITED)
                .json(Json.write(this))
                .build();
    }
}
