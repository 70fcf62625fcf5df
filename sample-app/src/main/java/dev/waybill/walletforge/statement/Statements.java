package dev.waybill.walletforge.statement;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.servicebus.Entities;
import java.util.Optional;
import org.jooq.DSLContext;

/** Writes statements and delivers them. A statement has as many lines as its wallet has entries. Thread-safe. */
public final class Statements {
    private static final String HEADING = "entry,booked_at,tx_id,kind,amount_cents,outcome,balance_after";

    private final Installation installation;
    private final Outbox outbox;
    private final String table;

    public Statements(Installation installation) {
        this.installation = installation;
        outbox = installation.outbox();
        table = installation.table("statement");
    }

    /** Writes the statement of a wallet, as CSV, and sends it in the caller's transaction. */
    public void request(DSLContext tx, String statementId, String walletId) {
        String entries = "select concat_ws(',', id, booked_at, tx_id, kind, amount_cents, outcome, balance_after) from "
                + installation.table("ledger_entry") + " where wallet_id = ? order by id";
        String body =
                HEADING + "\n" + String.join("\n", tx.fetch(entries, walletId).getValues(0, String.class)) + "\n";
        outbox.append(
                tx,
                OutboxMessage.to(Entities.STATEMENTS)
                        .id(installation.messageId("statement/" + statementId))
                        .subject(statementId)
                        .text(body)
                        .build());
    }

    /** A delivered statement. */
    public Optional<String> find(String statementId) {
        String find = "select body from " + table + " where statement_id = ?";
        return installation.dsl().fetchOptional(find, statementId).map(row -> row.get(0, String.class));
    }

    /** Delivers statements to their place. The handler finds the whole body in the message, whatever its size. */
    public InboxConsumer.Builder consumer() {
        String insert = "insert into " + table + " (statement_id, body) values (?, ?)";
        return installation.consumer("statements", installation.bus().queue(Entities.STATEMENTS), (tx, message) -> {
            tx.execute(insert, message.subject().orElseThrow(), message.text());
            return Verdict.done();
        });
    }
}
