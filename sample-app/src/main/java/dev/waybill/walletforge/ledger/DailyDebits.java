package dev.waybill.walletforge.ledger;

import dev.waybill.inbox.SessionState;
import dev.waybill.schema.SchemaName;
import java.nio.charset.StandardCharsets;
import org.jooq.DSLContext;

/** How much a wallet has paid today: state of its session, which changes in the transaction of each debit. */
final class DailyDebits {
    private final SessionState states;

    DailyDebits(SchemaName waybill) {
        states = SessionState.in(waybill);
    }

    /** Adds a debit, unless the day's debits would exceed the limit. */
    boolean add(DSLContext tx, String walletId, long cents, long limit) {
        var state = states.load(tx, Ledger.CONSUMER, walletId);
        String today = tx.fetchSingle("select current_date::text").get(0, String.class);
        // Such as "2026-11-28 1250".
        String[] known = state.map(SessionState.Versioned::text).orElse("- 0").split(" ", 2);
        long spent = known[0].equals(today) ? Long.parseLong(known[1]) : 0;
        if (cents > limit - spent) {
            return false;
        }
        byte[] next = (today + " " + (spent + cents)).getBytes(StandardCharsets.UTF_8);
        long version = state.map(SessionState.Versioned::version).orElse(0L);
        states.store(tx, Ledger.CONSUMER, walletId, version, next);
        return true;
    }
}
