package dev.waybill.proof.role;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.DSLContext;

/**
 * Credits the account, as the ledger, or only notes that it was called. Some messages fail at the first try of a process, some
 * wait, some are deferred, and some fail until the operator has cured them.
 */
final class TransferHandler implements Handler {
    private static final String EFFECT = """
            with place as (
                insert into effect_place (consumer, session, n) values ({0}, {1}, 1)
                on conflict (consumer, session) do update set n = effect_place.n + 1 returning n)
            insert into effect (consumer, session, n, id, cents) select {0}, {1}, n, {2}, {3} from place
            """;
    private static final String CREDIT = """
            insert into account (id, balance) values ({0}, {1})
            on conflict (id) do update set balance = account.balance + excluded.balance
            """;

    private final String consumer;
    private final boolean deferring;
    private final Set<String> tried = ConcurrentHashMap.newKeySet();

    TransferHandler(String consumer, boolean deferring) {
        this.consumer = consumer;
        this.deferring = deferring;
    }

    @Override
    public Verdict handle(DSLContext tx, InboundMessage message) {
        var transfer = Transfer.read(message.id(), message.session().orElseThrow(), message.text());
        apply(tx, transfer);
        return trouble(tx, transfer);
    }

    private void apply(DSLContext tx, Transfer transfer) {
        if (consumer.equals("ledger")) {
            tx.execute(CREDIT, transfer.account(), transfer.cents());
        }
        tx.execute(EFFECT, consumer, transfer.account(), transfer.id(), transfer.cents());
    }

    // After the effects, which the verdict must undo.
    private Verdict trouble(DSLContext tx, Transfer transfer) {
        if (transfer.isPoisonFor(consumer) && !isCured(tx, transfer)) {
            return Verdict.deadLetter("Poison", "the operator has not cured " + transfer.id());
        }
        long lot = transfer.lot("trouble of " + consumer) % 1_000;
        if (lot < 8 && tried.add(transfer.id())) {
            if (lot < 4) {
                throw new IllegalStateException("a first try that fails");
            }
            return Verdict.retry(lot < 7 ? Duration.ofMillis(200) : Duration.ofSeconds(5));
        }
        boolean defers = deferring && lot >= 900 && !isCured(tx, transfer);
        return defers ? Verdict.defer(transfer.id()) : Verdict.done();
    }

    private boolean isCured(DSLContext tx, Transfer transfer) {
        return tx.fetchOptional("select 1 from cured where consumer = {0} and id = {1}", consumer, transfer.id())
                .isPresent();
    }
}
