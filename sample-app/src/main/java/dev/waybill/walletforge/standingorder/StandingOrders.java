package dev.waybill.walletforge.standingorder;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.SubjectHandlers;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.servicebus.Entities;
import dev.waybill.walletforge.transfer.Transfer;
import dev.waybill.walletforge.transfer.Transfers;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Schedules one message for the next transfer of each order; its handler schedules the one after. Thread-safe. */
public final class StandingOrders {
    private static final String DUE = "standing-order-due";

    private final Installation installation;
    private final Outbox outbox;
    private final Transfers transfers;
    private final String table;

    public StandingOrders(Installation installation) {
        this.installation = installation;
        outbox = installation.outbox();
        transfers = new Transfers(installation);
        table = installation.table("standing_order");
    }

    /** Stores an order and schedules its first transfer in the caller's transaction. */
    public void create(DSLContext tx, String orderId, StandingOrder order) {
        Record row = tx.fetchSingle(
                "insert into " + table + " (order_id, from_wallet, to_wallet, amount_cents, next_due, every, remaining)"
                        + " values (?, ?, ?, ?, ?::timestamptz, ?::interval, ?) returning *",
                orderId,
                order.fromWallet(),
                order.toWallet(),
                order.amountCents(),
                order.firstAt(),
                order.every(),
                order.times());
        schedule(tx, row);
    }

    /** Ends an order in the caller's transaction. Returns false if there is none, or it is at its end. */
    public boolean cancel(DSLContext tx, String orderId) {
        var ended = tx.fetchOptional(
                "update " + table + " set remaining = 0 where order_id = ? and remaining > 0 returning *", orderId);
        // If its message is on its way already, the handler finds nothing left to do.
        ended.ifPresent(row -> outbox.cancel(tx, Entities.WALLET_TX, messageId(row)));
        return ended.isPresent();
    }

    /** Handles the messages of orders. */
    public void addTo(SubjectHandlers.Builder handlers) {
        handlers.on(DUE, this::due);
    }

    private Verdict due(DSLContext tx, InboundMessage message) {
        tx.fetchOptional(
                        "update " + table
                                + " set made = made + 1, remaining = remaining - 1, next_due = next_due + every"
                                + " where order_id = ? and remaining > 0 returning *",
                        message.text())
                .ifPresent(row -> carryOut(tx, row));
        return Verdict.done();
    }

    private void carryOut(DSLContext tx, Record order) {
        String id = order.get("order_id") + "-" + order.get("made");
        String payer = order.get("from_wallet", String.class);
        String payee = order.get("to_wallet", String.class);
        transfers.request(tx, new Transfer(id, payer, payee, order.get("amount_cents", Long.class)));
        if (order.get("remaining", Integer.class) > 0) {
            schedule(tx, order);
        }
    }

    private void schedule(DSLContext tx, Record order) {
        outbox.append(
                tx,
                OutboxMessage.to(Entities.WALLET_TX)
                        .session(order.get("from_wallet", String.class))
                        .id(messageId(order))
                        .subject(DUE)
                        .text(order.get("order_id", String.class))
                        .notBefore(order.get("next_due", OffsetDateTime.class).toInstant())
                        .build());
    }

    private String messageId(Record order) {
        return installation.messageId(DUE + "/" + order.get("order_id") + "-" + order.get("made"));
    }
}
