package dev.waybill.walletforge.analytics;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.ledger.Booking;
import dev.waybill.walletforge.ledger.LedgerEvent;
import dev.waybill.walletforge.servicebus.Entities;

/** Counts and sums the entries of each day. */
public final class DailyTotals {
    private static final int BATCH = 50;

    private DailyTotals() {}

    /** Reads all events, many in one transaction. One worker: all of them add to the same few rows. */
    public static InboxConsumer.Builder consumer(Installation installation) {
        String add = "insert into " + installation.table("daily_total") + " as t (day, kind, outcome, entries, cents)"
                + " values ((?::timestamptz at time zone 'UTC')::date, ?, ?, 1, ?) on conflict (day, kind, outcome)"
                + " do update set entries = t.entries + 1, cents = t.cents + excluded.cents";
        var source = installation.bus().subscription(Entities.ANALYTICS).withSessions();
        return installation
                .consumer("analytics", source, (tx, message) -> {
                    LedgerEvent event = LedgerEvent.read(message);
                    Booking booking = event.booking();
                    tx.execute(add, event.bookedAt(), booking.kind().label(), event.outcome(), booking.amountCents());
                    return Verdict.done();
                })
                .batch(BATCH)
                .concurrency(1);
    }
}
