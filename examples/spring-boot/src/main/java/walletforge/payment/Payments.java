package walletforge.payment;

import dev.waybill.outbox.Outbox;
import dev.waybill.spring.InboxHandler;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import walletforge.wallet.Wallets;

/** Accepts payments, and books them one after the other in the session of their wallet. */
@Service
public class Payments {
    private final PaymentRepository payments;
    private final Wallets wallets;
    private final Outbox outbox;

    Payments(PaymentRepository payments, Wallets wallets, Outbox outbox) {
        this.payments = payments;
        this.wallets = wallets;
        this.outbox = outbox;
    }

    /** The payment and its message are committed together, or neither is. */
    @Transactional
    public void accept(String id, String wallet, long cents) {
        payments.save(new Payment(id, wallet, cents));
        outbox.append(outbox.message("wallet-tx")
                .id("payment-" + id)
                .session(wallet)
                .body(new PaymentAccepted(id, wallet, cents))
                .build());
    }

    /** Runs in the transaction that records the message: a repeat finds its id and books nothing. */
    @InboxHandler(destination = "wallet-tx")
    void accepted(PaymentAccepted message) {
        boolean booked = wallets.book("payment-" + message.payment(), message.wallet(), message.cents());
        payments.findById(message.payment()).orElseThrow().end(booked);
    }
}
