package dev.waybill.walletforge.transfer;

import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.SubjectHandlers;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.installation.Json;
import dev.waybill.walletforge.ledger.Booking;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.ledger.Ledger;
import dev.waybill.walletforge.servicebus.Entities;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;

/** Requests transfers, and carries them out step by step. Thread-safe. */
public final class Transfers {
    private static final String DEBIT = "transfer-debit";
    private static final String CREDIT = "transfer-credit";
    private static final String CONFIRM = "transfer-confirm";

    private final Installation installation;
    private final Outbox outbox;
    private final Ledger ledger;
    private final Deferrals deferrals;
    private final String table;

    public Transfers(Installation installation) {
        this.installation = installation;
        outbox = installation.outbox();
        ledger = new Ledger(installation);
        deferrals = Deferrals.in(installation.schemas().waybill());
        table = installation.table("transfer");
    }

    /** Stores the transfer and its first two messages in the caller's transaction. */
    public void request(DSLContext tx, Transfer transfer) {
        String payer = transfer.fromWallet();
        String insert =
                "insert into " + table + " (transfer_id, from_wallet, to_wallet, amount_cents) values (?, ?, ?, ?)";
        tx.execute(insert, transfer.transferId(), payer, transfer.toWallet(), transfer.amountCents());
        outbox.append(tx, List.of(message(DEBIT, payer, transfer), message(CONFIRM, payer, transfer)));
    }

    /** How far a transfer is; {@code completed}, {@code declined} and {@code compensated} are the ends. */
    public Optional<String> state(DSLContext tx, String transferId) {
        return tx.fetchOptional("select state from " + table + " where transfer_id = ?", transferId)
                .map(row -> row.get(0, String.class));
    }

    /** Handles the messages of transfers. */
    public void addTo(SubjectHandlers.Builder handlers) {
        handlers.on(DEBIT, this::debit).on(CREDIT, this::credit).on(CONFIRM, this::confirm);
    }

    private Verdict debit(DSLContext tx, InboundMessage message) {
        var transfer = Json.read(message.body(), Transfer.class);
        if (book(tx, DEBIT, transfer, Kind.DEBIT)) {
            outbox.append(tx, message(CREDIT, transfer.toWallet(), transfer));
            return move(tx, transfer, "debited");
        }
        return move(tx, transfer, "declined");
    }

    private Verdict credit(DSLContext tx, InboundMessage message) {
        var transfer = Json.read(message.body(), Transfer.class);
        boolean applied = book(tx, CREDIT, transfer, Kind.CREDIT);
        deferrals.resume(tx, Ledger.CONSUMER, transfer.transferId());
        return move(tx, transfer, applied ? "credited" : "refused");
    }

    // Behind the debit in the payer's session. The credit, in the payee's, resumes it.
    private Verdict confirm(DSLContext tx, InboundMessage message) {
        var transfer = Json.read(message.body(), Transfer.class);
        return switch (state(tx, transfer.transferId()).orElseThrow()) {
            case "debited" -> Verdict.defer(transfer.transferId());
            case "credited" -> move(tx, transfer, "completed");
            case "refused" -> {
                book(tx, "transfer-refund", transfer, Kind.CREDIT);
                yield move(tx, transfer, "compensated");
            }
            default -> Verdict.done();
        };
    }

    private boolean book(DSLContext tx, String step, Transfer transfer, Kind kind) {
        String wallet = step.equals(CREDIT) ? transfer.toWallet() : transfer.fromWallet();
        boolean refund = kind == Kind.CREDIT && !step.equals(CREDIT);
        String txId = step + ":" + transfer.transferId();
        return ledger.book(tx, new Booking(txId, wallet, kind, transfer.amountCents(), refund));
    }

    private Verdict move(DSLContext tx, Transfer transfer, String state) {
        tx.execute("update " + table + " set state = ? where transfer_id = ?", state, transfer.transferId());
        return Verdict.done();
    }

    private OutboxMessage message(String step, String session, Transfer transfer) {
        return OutboxMessage.to(Entities.WALLET_TX)
                .session(session)
                .id(installation.messageId(step + "/" + transfer.transferId()))
                .subject(step)
                .json(Json.write(transfer))
                .build();
    }
}
