package dev.waybill.walletforge.ledger;

import dev.waybill.outbox.Outbox;
import dev.waybill.walletforge.installation.Installation;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Applies bookings to wallets. Call it in the session of the wallet, one booking after the other. Thread-safe. */
public final class Ledger {
    /** The consumer that calls it: deferrals and states of sessions belong to this name. */
    public static final String CONSUMER = "ledger";

    private final Installation installation;
    private final Outbox outbox;
    private final DailyDebits debits;
    private final String lock;
    private final String record;

    public Ledger(Installation installation) {
        this.installation = installation;
        outbox = installation.outbox();
        debits = new DailyDebits(installation.schemas().waybill());
        // An update that changes nothing locks the row and gives it back, whether it was there or not.
        lock = "insert into " + installation.table("wallet") + " as w (wallet_id) values (?) on conflict (wallet_id)"
                + " do update set balance_cents = w.balance_cents returning balance_cents, daily_limit_cents, closed";
        record = """
                with entry as (
                  insert into %s (tx_id, wallet_id, kind, amount_cents, outcome, balance_after)
                  values (?, ?, ?, ?, ?, ?) returning *
                ), changed as (
                  update %s as w
                  set balance_cents = e.balance_after,
                      applied = applied + (e.outcome = 'applied')::int,
                      declined = declined + (e.outcome = 'declined')::int
                  from entry as e where w.wallet_id = e.wallet_id
                )
                select id, to_char(booked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') from entry
                """.formatted(installation.table("ledger_entry"), installation.table("wallet"));
    }

    /** Applies the booking if the wallet allows it, records what was decided, and tells the topic. */
    public boolean book(DSLContext tx, Booking booking) {
        Record wallet = tx.fetchSingle(lock, booking.walletId());
        boolean applied = booking.refund() || allows(tx, wallet, booking);
        long change = booking.kind() == Kind.CREDIT ? booking.amountCents() : -booking.amountCents();
        long balance = wallet.get(0, Long.class) + (applied ? change : 0);
        LedgerEvent event = record(tx, booking, applied ? LedgerEvent.APPLIED : "declined", balance);
        outbox.append(tx, event.message(installation));
        return applied;
    }

    private boolean allows(DSLContext tx, Record wallet, Booking booking) {
        if (wallet.get(2, Boolean.class)) {
            return false;
        }
        if (booking.kind() == Kind.CREDIT) {
            return booking.amountCents() <= Long.MAX_VALUE - wallet.get(0, Long.class);
        }
        Long limit = wallet.get(1, Long.class);
        return booking.amountCents() <= wallet.get(0, Long.class)
                && (limit == null || debits.add(tx, booking.walletId(), booking.amountCents(), limit));
    }

    private LedgerEvent record(DSLContext tx, Booking booking, String outcome, long balance) {
        String kind = booking.kind().label();
        Record entry = tx.fetchSingle(
                record, booking.txId(), booking.walletId(), kind, booking.amountCents(), outcome, balance);
        return new LedgerEvent(entry.get(0, Long.class), booking, outcome, balance, entry.get(1, String.class));
    }
}
