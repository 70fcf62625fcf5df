package dev.waybill.relay.connect;

import dev.waybill.schema.IdleLimit;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.TransactionContext;
import org.jooq.TransactionListener;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConnectionProvider;

/**
 * Transactions of work that can be done later. They wait for a lock only briefly and give their connection back, because signs
 * of life may need the same one. A row that a policy would hide is an error to them. Set for the transaction alone, by the
 * statement that limits how long it may stand still anyway. Thread-safe.
 */
public final class BriefWaits implements TransactionListener {
    private final String statement;

    private BriefWaits(String statement) {
        this.statement = statement;
    }

    /**
     * A context of the same connections.
     *
     * @param longest how long a transaction may stand still
     * @param lock how long it waits for a lock, unless it sets another limit itself
     */
    public static DSLContext of(DSLContext dsl, Duration longest, Duration lock) {
        var waits = new BriefWaits(IdleLimit.statement(longest)
                + ";\nset local row_security = off;\nset local lock_timeout = " + lock.toMillis());
        return DSL.using(dsl.configuration().derive(waits));
    }

    @Override
    public void beginEnd(TransactionContext begun) {
        if (begun.configuration().connectionProvider() instanceof DefaultConnectionProvider) {
            DSL.using(begun.configuration()).execute(statement);
        }
    }
}
