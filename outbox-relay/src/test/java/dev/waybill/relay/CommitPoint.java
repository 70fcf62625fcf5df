package dev.waybill.relay;

import org.jooq.DSLContext;
import org.jooq.TransactionContext;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;

/** Things that happen around the commit of a transaction, and how processes end there. */
final class CommitPoint {
    private CommitPoint() {}

    /** A context in which something happens when a transaction is about to commit. */
    static DSLContext before(DSLContext dsl, Runnable action) {
        return DSL.using(
                dsl.configuration().deriveAppending(TransactionListener.onCommitStart(context -> action.run())));
    }

    /** A context whose transactions commit, and whose user does not learn of it. */
    static DSLContext withLostReply(DSLContext dsl) {
        return DSL.using(dsl.configuration().deriveAppending(TransactionListener.onCommitEnd(CommitPoint::lose)));
    }

    /** The server ends the connection of every transaction of a test that waits for its client, as if that had died. */
    static void killOpenTransactions(OutboxFixture outbox) {
        outbox.execute("select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'"
                + " and pid in (select pid from pg_locks l join pg_class c on c.oid = l.relation"
                + " where c.relnamespace = '$schema'::regnamespace)");
    }

    private static void lose(TransactionContext context) {
        throw new IllegalStateException("the reply is lost");
    }
}
