package dev.waybill.relay;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.DSLContext;
import org.jooq.TransactionContext;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;

/** Things that happen around the commit of a transaction that has written, and how processes end there. */
final class CommitPoint {
    private CommitPoint() {}

    /** A context in which something happens when a transaction is about to commit. */
    static DSLContext before(DSLContext dsl, Runnable action) {
        return DSL.using(dsl.configuration().deriveAppending(TransactionListener.onCommitStart(context -> {
            if (hasWritten(context)) {
                action.run();
            }
        })));
    }

    /** A context whose transactions commit, and whose user does not learn of it. */
    static DSLContext withLostReply(DSLContext dsl) {
        var written = new AtomicBoolean();
        return DSL.using(dsl.configuration()
                .deriveAppending(TransactionListener.onCommitStart(context -> written.set(hasWritten(context))))
                .deriveAppending(TransactionListener.onCommitEnd(context -> lose(written.get()))));
    }

    private static boolean hasWritten(TransactionContext context) {
        return context.configuration()
                .dsl()
                .fetchSingle("select pg_current_xact_id_if_assigned() is not null")
                .get(0, Boolean.class);
    }

    /** The server ends the connection of every transaction of a test that waits for its client, as if that had died. */
    static void killOpenTransactions(OutboxFixture outbox) {
        outbox.execute("select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'"
                + " and pid in (select pid from pg_locks l join pg_class c on c.oid = l.relation"
                + " where c.relnamespace = '$schema'::regnamespace)");
    }

    private static void lose(boolean reply) {
        if (reply) {
            throw new IllegalStateException("the reply is lost");
        }
    }
}
