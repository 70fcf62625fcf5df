package dev.waybill.schema;

import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.TransactionContext;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConnectionProvider;

/**
 * Limits how long a transaction may be idle. Otherwise the server keeps a lost client's locks until its TCP timeout, two hours
 * by default. The first statement sets the limit for the transaction alone. Thread-safe.
 */
public final class IdleLimit implements TransactionListener {
    public static final Duration DEFAULT = Duration.ofMinutes(1);

    private final String statement;

    private IdleLimit(Duration longest) {
        this.statement = statement(longest);
    }

    /** A context whose transactions have this limit. */
    public static DSLContext of(Duration longest, DSLContext dsl) {
        return DSL.using(dsl.configuration().deriveAppending(new IdleLimit(longest)));
    }

    /** The first statement of a transaction with this limit. */
    public static String statement(Duration longest) {
        return "set local idle_in_transaction_session_timeout = " + longest.toMillis();
    }

    // jOOQ also calls this if the pool had no connection: a statement would wait for one again and hide the cause.
    @Override
    public void beginEnd(TransactionContext begun) {
        if (begun.configuration().connectionProvider() instanceof DefaultConnectionProvider) {
            DSL.using(begun.configuration()).execute(statement);
        }
    }
}
