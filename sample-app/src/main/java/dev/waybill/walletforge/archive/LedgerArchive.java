package dev.waybill.walletforge.archive;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.ledger.LedgerEvent;
import dev.waybill.walletforge.servicebus.Entities;
import java.time.Instant;
import java.util.List;

/** Keeps every event for six weeks. Thread-safe. */
public final class LedgerArchive {
    private final Installation installation;
    private final String table;

    public LedgerArchive(Installation installation) {
        this.installation = installation;
        table = installation.table("archived_event");
    }

    /** Reads the queue that the subscription forwards to. */
    public InboxConsumer.Builder consumer() {
        String insert = "insert into " + table
                + " (entry_id, wallet_id, booked_at, body) values (?, ?, ?::timestamptz, ?::jsonb)";
        return installation.consumer("archive", installation.bus().queue(Entities.ARCHIVE), (tx, message) -> {
            LedgerEvent event = LedgerEvent.read(message);
            tx.execute(insert, event.entryId(), event.booking().walletId(), event.bookedAt(), message.text());
            return Verdict.done();
        });
    }

    /** A wallet's events of a period, as JSON, in the order of the ledger. */
    public List<String> find(String walletId, Instant from, Instant to) {
        String find = "select body from " + table + " where wallet_id = ? and booked_at >= ?::timestamptz"
                + " and booked_at < ?::timestamptz order by entry_id";
        var events = installation.dsl().fetch(find, walletId, from.toString(), to.toString());
        return events.getValues(0, String.class);
    }

    /** Removes what is older than six weeks, and says how much. */
    public int prune() {
        return installation.dsl().execute("delete from " + table + " where booked_at < now() - interval '6 weeks'");
    }
}
