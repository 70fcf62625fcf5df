package dev.waybill.outbox;

import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.DriverConnection;
import java.util.List;
import org.jooq.Configuration;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultTransactionProvider;
import org.jspecify.annotations.Nullable;

/** Collects appends until the outermost transaction commits, and sends them in one round trip with the COMMIT. */
final class AppendsAtCommit implements TransactionProvider {
    private final WakingConnections connections;
    private final TransactionProvider transactions;
    private final OutboxInsert insert;

    AppendsAtCommit(WakingConnections connections, OutboxInsert insert) {
        this.connections = connections;
        this.transactions = new DefaultTransactionProvider(connections);
        this.insert = insert;
    }

    @Override
    public void begin(TransactionContext context) {
        transactions.begin(context);
        Configuration configuration = context.configuration();
        @Nullable PendingAppends pending = PendingAppends.of(configuration);
        if (pending == null) {
            pending = PendingAppends.in(configuration);
        }
        pending.enter();
    }

    @Override
    public void commit(TransactionContext context) {
        PendingAppends pending = pending(context);
        if (pending.isOutermost()) {
            requireNotFailed(context);
            send(context, pending);
            pending.keep();
            // After the COMMIT of the insert, the driver knows that no transaction is open and sends nothing.
            connections.afterCommit(pending.actions(), () -> transactions.commit(context));
        } else {
            pending.keep();
            transactions.commit(context);
        }
    }

    // PostgreSQL answers such a commit with a rollback, and the driver reports success.
    private static void requireNotFailed(TransactionContext context) {
        DSL.using(context.configuration()).connection(connection -> {
            if (DriverConnection.isInFailedTransaction(connection)) {
                throw new DataAccessException(
                        "A statement of this transaction failed, and its exception was caught: nothing is committed."
                                + " Roll back to a savepoint after an expected failure, or let the exception out");
            }
        });
    }

    private void send(TransactionContext context, PendingAppends pending) {
        List<OutboxMessage> appends = pending.messages();
        if (!appends.isEmpty()) {
            DSL.using(context.configuration()).connection(connection -> {
                BinaryParameters.require(connection);
                insert.executeAndCommit(connection, appends);
            });
            pending.afterCommit(connections.notification(appends));
        }
    }

    @Override
    public void rollback(TransactionContext context) {
        pending(context).drop();
        transactions.rollback(context);
    }

    private static PendingAppends pending(TransactionContext context) {
        @Nullable PendingAppends pending = PendingAppends.of(context.configuration());
        return pending != null ? pending : PendingAppends.in(context.configuration());
    }
}
