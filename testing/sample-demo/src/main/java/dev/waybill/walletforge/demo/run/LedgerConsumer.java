package dev.waybill.walletforge.demo.run;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.walletforge.demo.servicebus.Bus;
import dev.waybill.walletforge.ledger.LedgerBook;
import dev.waybill.walletforge.payment.Payment;
import dev.waybill.walletforge.payment.PaymentWire;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;

/** Applies the queue's payments to the ledger, in the transaction of the inbox. */
final class LedgerConsumer {
    private static final int SESSIONS = 32;

    // Wallets are many and their messages few: an idle one makes room for the next at once.
    private static final Duration IDLE = Duration.ofMillis(50);

    // A run ends when nothing is under way any more; what waits then only waits for a next session.
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private LedgerConsumer() {}

    /**
     * A consumer.
     *
     * @param faults what goes wrong inside the handler
     */
    static InboxConsumer of(Database database, Bus bus, PaymentWire wire, UnaryOperator<Handler> faults) {
        var ledger = new LedgerBook(database.schemas().forge());
        return InboxConsumer.builder(database.pool())
                .schema(database.schemas().waybill())
                .name("ledger")
                .source(bus.address().sessions())
                .concurrency(SESSIONS)
                .tuning(tuning -> tuning.sessionIdle(IDLE).drain(DRAIN))
                .listener(bus.listener())
                .handler(faults.apply(
                        (tx, message) -> wire.isOurs(message.id()) ? apply(ledger, wire, tx, message) : Verdict.done()))
                .build();
    }

    // Nothing but a change of the message makes it readable: no use in trying again.
    private static Verdict apply(LedgerBook ledger, PaymentWire wire, DSLContext tx, InboundMessage message) {
        Payment payment;
        try {
            payment = wire.read(message.body());
        } catch (IllegalArgumentException | UncheckedIOException e) {
            return Verdict.deadLetter("UnreadablePaymentException", String.valueOf(e.getMessage()));
        }
        ledger.apply(tx, payment);
        return Verdict.done();
    }
}
