package dev.waybill.proof.role;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.DSLContext;

/**
 * Credits the account, as the ledger, or only notes that it was called. Some messages fail at the first try of a process, in the
 * middle of their work; some wait, some are deferred, and some fail until the operator has cured them.
 */
final class TransferHandler implements Handler {
    private static final String CREDIT = """
            insert into account (id, balance) values (?, ?)
            on conflict (id) do update set balance = account.balance + excluded.balance""";
    private static final String EFFECT = """
            with %s place as (
                insert into effect_place (consumer, session, n) values (?, ?, 1)
                on conflict (consumer, session) do update set n = effect_place.n + 1 returning n)
            insert into effect (consumer, session, n, id, cents) select ?, ?, n, ?, ? from place
            """;

    private final String consumer;
    private final boolean crediting;
    private final boolean deferring;
    private final long lots;
    private final String sql;
    private final Set<String> tried = ConcurrentHashMap.newKeySet();

    TransferHandler(String consumer, boolean deferring, long lots) {
        this.consumer = consumer;
        this.crediting = consumer.equals("ledger");
        this.deferring = deferring;
        this.lots = lots;
        this.sql = EFFECT.formatted(crediting ? "credit as (" + CREDIT + ")," : "");
    }

    @Override
    public Verdict handle(DSLContext tx, InboundMessage message) {
        var transfer = Transfer.read(message.id(), message.session().orElseThrow(), message.text());
        long lot = transfer.lot("trouble of " + consumer) % lots;
        Verdict verdict = verdict(tx, transfer, lot);
        apply(tx, transfer, verdict == Verdict.done());
        if (verdict instanceof Verdict.Retry && lot < 4) {
            throw new IllegalStateException("a first try that fails");
        }
        return verdict;
    }

    private Verdict verdict(DSLContext tx, Transfer transfer, long lot) {
        if (transfer.isPoisonFor(consumer) && !isCured(tx, transfer)) {
            return Verdict.deadLetter("Poison", "the operator has not cured " + transfer.id());
        }
        if (lot < 8 && tried.add(transfer.id())) {
            return Verdict.retry(lot < 7 ? Duration.ofMillis(200) : Duration.ofSeconds(5));
        }
        boolean defers = deferring && lot >= lots / 10 * 9 && !isCured(tx, transfer);
        return defers ? Verdict.defer(transfer.id()) : Verdict.done();
    }

    // In trouble it does half of the work, which the transaction must undo. A text that jOOQ parses anew for each
    // message costs more than all else here.
    private void apply(DSLContext tx, Transfer transfer, boolean whole) {
        if (!whole && !crediting) {
            return;
        }
        tx.connection(connection -> {
            try (var statement = connection.prepareStatement(whole ? sql : CREDIT)) {
                int next = 1;
                if (crediting) {
                    statement.setString(next++, transfer.account());
                    statement.setLong(next++, transfer.cents());
                }
                if (whole) {
                    for (int i = 0; i < 2; i++) {
                        statement.setString(next++, consumer);
                        statement.setString(next++, transfer.account());
                    }
                    statement.setString(next++, transfer.id());
                    statement.setLong(next, transfer.cents());
                }
                statement.executeUpdate();
            }
        });
    }

    private boolean isCured(DSLContext tx, Transfer transfer) {
        return tx.fetchOptional("select 1 from cured where consumer = {0} and id = {1}", consumer, transfer.id())
                .isPresent();
    }
}
