package dev.waybill.walletforge.ledger;

import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.payment.Kind;
import dev.waybill.walletforge.payment.Payment;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * The balances and the history of what changed them. Applies whatever it is given, once per call: that a payment comes
 * once and in order is the inbox's business.
 */
public final class LedgerBook {
    private final String lock;
    private final String record;

    /** The book in this schema. */
    public LedgerBook(SchemaName schema) {
        // An update that changes nothing locks the row and gives it back, whether it was there or not.
        lock = "insert into " + schema.table("wallet") + " as w (wallet_id) values ({0})"
                + " on conflict (wallet_id) do update set balance_cents = w.balance_cents returning balance_cents";
        record = """
                with changed as (
                  update %s set balance_cents = {0}, applied = applied + {1}, declined = declined + {2}
                  where wallet_id = {3}
                )
                insert into %s (tx_id, wallet_id, kind, amount_cents, outcome, balance_after)
                values ({4}, {3}, {5}, {6}, {7}, {0})
                """.formatted(schema.table("wallet"), schema.table("ledger_entry"));
    }

    /** Applies a payment in the transaction of {@code tx}, or declines a debit above the balance. */
    public void apply(DSLContext tx, Payment payment) {
        long balance = lockedBalance(tx, payment.walletId());
        boolean applied = payment.kind() == Kind.CREDIT || payment.amountCents() <= balance;
        long change = payment.kind() == Kind.CREDIT ? payment.amountCents() : -payment.amountCents();
        tx.execute(
                record,
                DSL.val(applied ? balance + change : balance),
                DSL.val(applied ? 1L : 0L),
                DSL.val(applied ? 0L : 1L),
                DSL.val(payment.walletId()),
                DSL.val(payment.txId()),
                DSL.val(payment.kind().label()),
                DSL.val(payment.amountCents()),
                DSL.val(applied ? "applied" : "declined"));
    }

    private long lockedBalance(DSLContext tx, String walletId) {
        var row = tx.resultQuery(lock, DSL.val(walletId)).fetchSingle();
        return row.get(0, Long.class);
    }
}
