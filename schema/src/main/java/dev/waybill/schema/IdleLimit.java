package dev.waybill.schema;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.TransactionContext;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConnectionProvider;

/**
 * Has the server end a transaction whose client says nothing more. A server hears of a client that a network has cut off only
 * when its system gives the connection up, two hours later by default; until then the transaction keeps its locks, and
 * everybody else waits for them. Set for the transaction alone, and before it reads anything, so that it may still choose its
 * isolation. Thread-safe.
 */
public final class IdleLimit implements TransactionListener {
    /** One minute: these transactions never wait for anything but the database. */
    public static final Duration DEFAULT = Duration.ofMinutes(1);

    private final String statement;

    private IdleLimit(Duration longest) {
        this.statement = statement(longest);
    }

    /** The context, with transactions that stand still for no longer. */
    public static DSLContext of(Duration longest, DSLContext dsl) {
        return DSL.using(dsl.configuration().deriveAppending(new IdleLimit(longest)));
    }

    /** The first statement of a transaction that stands still for no longer. */
    public static String statement(Duration longest) {
        return "set local idle_in_transaction_session_timeout = " + longest.toMillis();
    }

    // Also called where nothing has begun because the pool had no connection: it would be waited for once more, and the
    // reason hidden.
    @Override
    public void beginEnd(TransactionContext begun) {
        if (begun.configuration().connectionProvider() instanceof DefaultConnectionProvider) {
            DSL.using(begun.configuration()).execute(statement);
        }
    }
}
