package dev.waybill.walletforge.payment;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.SubjectHandlers;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.installation.Json;
import dev.waybill.walletforge.ledger.Booking;
import dev.waybill.walletforge.ledger.Ledger;
import java.util.Optional;
import org.jooq.DSLContext;

/** Accepts payments, and books them when their message arrives. Thread-safe. */
public final class Payments {
    private final Installation installation;
    private final Outbox outbox;
    private final Ledger ledger;
    private final String insert;

    public Payments(Installation installation) {
        this.installation = installation;
        outbox = installation.outbox();
        ledger = new Ledger(installation);
        insert = "insert into " + installation.table("payment")
                + " (tx_id, wallet_id, kind, amount_cents) values (?, ?, ?, ?) on conflict (tx_id) do nothing";
    }

    /** Stores the payment and its message in the caller's transaction. Returns false for a resend, which has no effect. */
    public boolean accept(DSLContext tx, Payment payment) {
        String kind = payment.kind().label();
        if (tx.execute(insert, payment.txId(), payment.walletId(), kind, payment.amountCents()) == 0) {
            return false;
        }
        // Last in the transaction: it waits for the session's other writers until they commit.
        outbox.append(tx, payment.message(installation));
        return true;
    }

    /** Handles the messages of payments. */
    public void addTo(SubjectHandlers.Builder handlers) {
        handlers.on(Payment.CREDITED, this::book).on(Payment.DEBITED, this::book);
    }

    private Verdict book(DSLContext tx, InboundMessage message) {
        Payment payment;
        try {
            payment = Json.read(message.body(), Payment.class);
        } catch (IllegalArgumentException e) {
            // Nothing but a change of the message makes it readable: no use in trying again.
            return Verdict.deadLetter("UnreadablePaymentException", String.valueOf(e.getMessage()));
        }
        if (!message.session().equals(Optional.of(payment.walletId()))) {
            return Verdict.deadLetter("WrongSession", "The payment is for wallet " + payment.walletId());
        }
        ledger.book(tx, new Booking(payment.txId(), payment.walletId(), payment.kind(), payment.amountCents(), false));
        return Verdict.done();
    }
}
