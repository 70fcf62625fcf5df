package walletforge.transfer;

import dev.waybill.outbox.Outbox;
import dev.waybill.spring.InboxHandler;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import walletforge.wallet.Wallets;

/**
 * Debits one wallet, then credits the other, or refunds the first. Each step is a message in the session of the wallet that it changes,
 * and a transaction of its own: it books and appends the next step, or does neither.
 */
@Service
class TransferSaga {
    private final TransferRepository transfers;
    private final Wallets wallets;
    private final Outbox outbox;

    TransferSaga(TransferRepository transfers, Wallets wallets, Outbox outbox) {
        this.transfers = transfers;
        this.wallets = wallets;
        this.outbox = outbox;
    }

    @Transactional
    public void start(TransferOrder order) {
        transfers.save(new Transfer(order.id()));
        next("debit", order.from(), order);
    }

    @InboxHandler(destination = "wallet-tx", subject = "debit")
    void debit(TransferOrder order) {
        if (wallets.book("debit-" + order.id(), order.from(), -order.cents())) {
            next("credit", order.to(), order);
        } else {
            end(order, Transfer.State.DECLINED);
        }
    }

    @InboxHandler(destination = "wallet-tx", subject = "credit")
    void credit(TransferOrder order) {
        if (wallets.book("credit-" + order.id(), order.to(), order.cents())) {
            end(order, Transfer.State.DONE);
        } else {
            next("refund", order.from(), order);
        }
    }

    @InboxHandler(destination = "wallet-tx", subject = "refund")
    void refund(TransferOrder order) {
        wallets.book("refund-" + order.id(), order.from(), order.cents());
        end(order, Transfer.State.REFUNDED);
    }

    private void next(String step, String wallet, TransferOrder order) {
        String id = step + "-" + order.id();
        outbox.append(outbox.message("wallet-tx")
                .id(id)
                .session(wallet)
                .subject(step)
                .body(order)
                .build());
    }

    private void end(TransferOrder order, Transfer.State state) {
        transfers.findById(order.id()).orElseThrow().end(state);
    }
}
