package dev.waybill.deadletter.edit;

import static dev.waybill.schema.jooq.Tables.DEAD_LETTER;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.audit.DeadLetterAudit;
import dev.waybill.deadletter.audit.DeadLetterAudit.Entry;
import dev.waybill.deadletter.audit.DeadLetterAudit.Transition;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.StateTable;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.DeadlockRetry;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;

/** Moves letters from state to state, 1,000 in each transaction. */
public record StateChanges(DSLContext dsl) {
    private static final int CHUNK = 1_000;

    public int discard(Condition which, AuditContext instruction) {
        return move(which, DeadLetter.State.DISCARDED, Entry.of("discard", instruction));
    }

    public int release(Condition which, AuditContext instruction) {
        return move(which, DeadLetter.State.OPEN, Entry.of("release", instruction));
    }

    public int reopen(Condition which, AuditContext instruction) {
        return move(which, DeadLetter.State.OPEN, Entry.of("reopen", instruction));
    }

    private int move(Condition which, DeadLetter.State to, Entry entry) {
        int moved = 0;
        List<Transition> some;
        long after = 0;
        do {
            long from = after;
            some = DeadlockRetry.of(() -> dsl.transactionResult(tx -> moveSome(tx.dsl(), which, from, to, entry)));
            moved += some.size();
            after = some.isEmpty() ? after : some.get(some.size() - 1).id();
        } while (some.size() == CHUNK);
        return moved;
    }

    // Begins after the last letter: letters that are moved would be read again for each chunk.
    private List<Transition> moveSome(DSLContext tx, Condition which, long after, DeadLetter.State to, Entry entry) {
        List<Transition> chosen = tx.select(DEAD_LETTER.ID, DEAD_LETTER.STATE)
                .from(DEAD_LETTER)
                .where(which, DeadLetterRows.after(after))
                .orderBy(DEAD_LETTER.ID)
                .limit(CHUNK)
                .forUpdate()
                .fetch(row -> new Transition(row.value1(), row.value2()));
        if (!chosen.isEmpty()) {
            StateTable.set(tx, chosen.stream().map(Transition::id).toList(), to);
            DeadLetterAudit.write(tx, chosen, entry, DeadLetterRows.column(to));
        }
        return chosen;
    }
}
