package dev.waybill.walletforge.payment;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.walletforge.database.ForgeSchemas;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Takes payments in. Thread-safe. */
public final class Payments {
    private final DSLContext dsl;
    private final String insert;
    private final Outbox outbox;
    private final PaymentWire wire;

    /** Stores and appends in the given schemas. */
    public Payments(DataSource dataSource, ForgeSchemas schemas, PaymentWire wire) {
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        insert = "insert into " + schemas.forge().table("payment")
                + " (tx_id, wallet_id, kind, amount_cents, position) values ({0}, {1}, {2}, {3}, {4})"
                + " on conflict (tx_id) do nothing";
        outbox = Outbox.builder().schema(schemas.waybill()).build();
        this.wire = wire;
    }

    /**
     * Stores the payment and its message in one transaction, or neither.
     *
     * @return false for a resend, which has no effect
     */
    public boolean accept(Payment payment) {
        return dsl.transactionResult(tx -> accept(tx.dsl(), payment));
    }

    /** As {@link #accept(Payment)}, in the caller's transaction. */
    public boolean accept(DSLContext tx, Payment payment) {
        if (!store(tx, payment)) {
            return false;
        }
        // Last in the transaction: it waits for the session's other writers until they commit.
        outbox.append(tx, message(payment));
        return true;
    }

    private boolean store(DSLContext tx, Payment payment) {
        int inserted = tx.execute(
                insert,
                DSL.val(payment.txId()),
                DSL.val(payment.walletId()),
                DSL.val(payment.kind().label()),
                DSL.val(payment.amountCents()),
                DSL.val(payment.position()));
        return inserted == 1;
    }

    private OutboxMessage message(Payment payment) {
        return OutboxMessage.to(PaymentWire.QUEUE)
                .session(payment.walletId())
                .id(wire.messageId(payment))
                .subject(wire.subject(payment))
                .json(wire.body(payment))
                .build();
    }
}
